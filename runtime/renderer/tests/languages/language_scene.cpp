// SPDX-License-Identifier: Apache-2.0
#include "language_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "compute_program.h"
#include "dice.h"
#include "throng/playback/deform.h"

namespace throng::test {
namespace {

constexpr std::uint32_t kMeshVertexWords = 20;  // position, normal, tangent, bones, weights

template <typename T>
std::vector<std::uint32_t> words_of(std::span<const T> values) {
  std::vector<std::uint32_t> words(values.size_bytes() / 4);
  std::memcpy(words.data(), values.data(), values.size_bytes());
  return words;
}

// The animation texture; one texel where all is localv, since a binding wants something to show.
struct SceneAtlas {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t layers = 1;
  std::uint32_t texel_words = 4;
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(4);

  explicit SceneAtlas(const Atlas& atlas) {
    if (atlas.words.empty()) return;
    width = atlas.layout.width;
    height = atlas.height;
    layers = atlas.layer_count;
    texel_words = atlas.layout.texel_words;
    words.assign(atlas.words.begin(), atlas.words.end());
  }
};

// Three components that leave room for the fourth.
gpu::uvec2 random_rotation(Dice& dice) {
  const auto field = [&] { return 234287u + dice.below(580000); };
  const std::uint32_t a = field(), b = field(), c = field();
  return {a | b << 20, b >> 12 | c << 8 | dice.below(4) << 28};
}

gpu::uvec2 halves_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

TrackRecord random_track(const Character& model, Dice& dice) {
  TrackRecord track{};
  track.clip = dice.below(static_cast<std::uint32_t>(model.clips().size()));
  track.wrap = dice.below(3);
  track.phase = {dice.bits(), dice.bits()};
  track.rate = halves_of((std::uint64_t{dice.bits()} << 3) * (dice.below(4) == 0 ? ~std::uint64_t{0} : 1));
  track.start = halves_of(kSceneNow - dice.below(1u << 30));
  return track;
}

PlayRecord random_play(const Character& model, Dice& dice) {
  PlayRecord play{};
  play.track = random_track(model, dice);
  if (dice.below(2) == 0) return play;
  play.previous = random_track(model, dice);
  play.fade_ticks = 1000000;
  play.fade_start = halves_of(kSceneNow - dice.below(1200000));  // some are over
  return play;
}

void add_vertex(std::vector<std::uint32_t>& words, const BakedVertex& vertex, Dice& dice) {
  const auto add = [&](const glm::vec4& v) {
    for (int i = 0; i < 4; ++i) words.push_back(std::bit_cast<std::uint32_t>(v[i]));
  };
  add(glm::vec4(vertex.position, 1.0f));
  add(glm::vec4(vertex.normal, 0.0f));
  add(glm::vec4(glm::vec3(dice.direction()), dice.below(2) == 0 ? -1.0f : 1.0f));
  for (const std::uint16_t bone : vertex.bones) words.push_back(bone);
  const glm::vec4 weights(vertex.weights[0], vertex.weights[1], vertex.weights[2], vertex.weights[3]);
  add(weights / 65535.0f);
}

}  // namespace

bool LanguageScene::has_chains() const { return (constants.encodings & (1u << gpu::kEncodingLocalv)) != 0; }

LanguageScene make_scene(const ModelShape& shape, std::uint32_t instances) {
  LanguageScene scene{.model = random_model(shape)};
  scene.batch.instance_count = instances;
  Dice dice(77);
  const Character& model = scene.model;
  const SceneAtlas atlas(model.atlas());
  scene.constants.atlas_width = atlas.width;
  scene.constants.texel_words = atlas.texel_words;
  scene.constants.frame_shapes = frame_shapes(model);
  scene.constants.columns = static_cast<std::uint32_t>(model.bones().size());
  scene.constants.animated_tangents = model.tangents_animated() ? 1 : 0;
  scene.morphs = morph_words(model.draft());
  scene.morphs.resize((scene.morphs.size() / 4 + 1) * 4);
  scene.batch.vertex_count = static_cast<std::uint32_t>(model.vertices().size());
  for (const BakedClip& clip : model.clips()) {
    scene.constants.encodings |= 1u << static_cast<unsigned>(clip.encoding);
    scene.clips.push_back(clip_record(model, clip));
  }
  for (const BakedVertex& vertex : model.vertices()) add_vertex(scene.vertices, vertex, dice);
  for (std::uint32_t i = 0; i < instances; ++i) {
    InstanceRecord instance{};
    instance.position = glm::vec3(dice.point(5.0));
    instance.scale = static_cast<float>(dice.between(0.5, 2.0));
    instance.rotation = random_rotation(dice);
    scene.instances.push_back(instance);
    scene.plays.push_back(random_play(model, dice));
  }
  return scene;
}

void look_at_links(LanguageScene& scene) {
  scene.batch.quality = kLinksOnly;
  scene.batch.vertex_count = static_cast<std::uint32_t>(scene.model.skeleton().size());
  scene.vertices.assign(std::size_t{scene.batch.vertex_count} * kMeshVertexWords, 0);  // which nobody reads
}

namespace {

VkFormat format_of(std::uint32_t texel_words) {
  if (texel_words == 1) return VK_FORMAT_R32_UINT;
  return texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32G32_UINT;
}

ImageResource upload(GpuDevice& gpu, const Texels& texels) {
  const ImageShape shape{.format = format_of(texels.texel_words), .width = texels.width, .height = texels.height};
  return upload_image(gpu, shape, std::as_bytes(std::span(texels.words))).value();
}

// A model that stores vertices has no table, and no binding is empty.
std::vector<glm::vec4> table_rows(const LanguageScene& scene) {
  const std::span<const glm::vec4> table = scene.model.table();
  if (table.empty()) return std::vector<glm::vec4>(1);
  return {table.begin(), table.end()};
}

}  // namespace

SceneNumbers run_compute(const VulkanContext& context, std::span<const std::uint32_t> code, const LanguageScene& scene,
                         AtlasAs as) {
  const std::vector<std::uint32_t> constants = words_of(std::span(&scene.constants, 1));
  const bool chains = scene.has_chains();
  ComputeProgram program(context, code, 6, chains ? 3 : 1, sizeof(SceneBatch), constants);
  const SceneAtlas atlas(scene.model.atlas());
  ImageShape shape{.format = as == AtlasAs::unorm8 ? VK_FORMAT_R8G8B8A8_UNORM : format_of(atlas.texel_words),
                   .width = atlas.width,
                   .height = atlas.height,
                   .layers = atlas.layers};
  shape.array = true;
  const ImageResource image = upload_image(program.gpu(), shape, std::as_bytes(std::span(atlas.words))).value();
  std::vector<ImageResource> more;
  if (chains) {
    more.push_back(upload(program.gpu(), channel_texels(scene.model)));
    more.push_back(upload(program.gpu(), skeleton_texels(scene.model)));
  }
  std::vector<const ImageResource*> images{&image};
  for (const ImageResource& other : more) images.push_back(&other);
  const std::uint32_t count = scene.batch.vertex_count * scene.batch.instance_count;
  const std::vector<glm::vec4> table = table_rows(scene);
  return program.run({.inputs = {std::as_bytes(std::span(scene.instances)), std::as_bytes(std::span(scene.plays)),
                                 std::as_bytes(std::span(scene.clips)), std::as_bytes(std::span(table)),
                                 std::as_bytes(std::span(scene.vertices)), std::as_bytes(std::span(scene.morphs))},
                      .push = std::as_bytes(std::span(&scene.batch, 1)),
                      .output_words = std::size_t{count} * 12,
                      .groups = (count + 63) / 64,
                      .images = images});
}

namespace {

std::vector<std::uint32_t> character_words(const LanguageScene& scene) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < scene.instances.size(); ++i) {
    const auto instance = words_of(std::span(&scene.instances[i], 1));
    const auto play = words_of(std::span(&scene.plays[i], 1));
    words.insert(words.end(), instance.begin(), instance.end());
    words.insert(words.end(), play.begin(), play.end());
  }
  return words;
}

std::vector<Gles::Attribute> attributes_of(const LanguageScene& scene) {
  std::vector<Gles::Attribute> attributes;
  for (const char* name : {"mesh_position", "mesh_normal", "mesh_tangent", "mesh_bones", "mesh_weights"})
    attributes.push_back({.name = name, .size = 4});
  for (std::size_t i = 0; i < scene.vertices.size(); ++i)
    attributes[i % kMeshVertexWords / 4].values.push_back(scene.vertices[i]);
  return attributes;
}

// With the model's numbers, and `more`, behind the first line, which says the version.
std::string essl_of(const LanguageScene& scene, const std::string& file, std::string_view more) {
  std::ifstream stream(THRONG_ESSL_DIR "/" + file);
  std::string version;
  std::getline(stream, version);
  std::stringstream rest;
  rest << stream.rdbuf();
  const SceneConstants& constants = scene.constants;
  return fmt::format(
      "{}\n{}{}#define kAtlasWidth {}u\n#define kTexelWords {}u\n#define kFrameShapes {}u\n#define kEncodings {}u\n"
      "#define kColumns {}u\n#define kAnimatedTangents {}u\n{}",
      version, more, scene.has_chains() ? "#define THRONG_CHAINS\n" : "", constants.atlas_width, constants.texel_words,
      constants.frame_shapes, constants.encodings, constants.columns, constants.animated_tangents, rest.str());
}

// A scene as textures of OpenGL ES, and all that they look into.
class SceneTextures {
 public:
  SceneTextures(const LanguageScene& scene, AtlasAs as)
      : atlas_(scene.model.atlas()),
        clips_(words_of(std::span(scene.clips))),
        table_(words_of(std::span<const glm::vec4>(table_rows(scene)))),
        characters_(character_words(scene)),
        channels_(channel_texels(scene.model)),
        skeleton_(skeleton_texels(scene.model)) {
    using Kind = Gles::Texture::Kind;
    all_ = {{.name = "atlas",
             .width = atlas_.width,
             .height = atlas_.height,
             .layers = atlas_.layers,
             .texel_words = atlas_.texel_words,
             .kind = as == AtlasAs::unorm8 ? Kind::bytes : Kind::words,
             .words = atlas_.words},
            {.name = "clip_words", .width = 4, .height = rows(scene.clips.size()), .words = clips_},
            {.name = "table_rows", .height = rows(table_.size() / 4), .kind = Kind::floats, .words = table_},
            {.name = "character_words", .width = 8, .height = scene.batch.instance_count, .words = characters_},
            {.name = "morph_words", .height = rows(scene.morphs.size() / 4), .words = scene.morphs}};
    if (!scene.has_chains()) return;
    all_.push_back(texture("channel_words", channels_));
    all_.push_back(texture("skeleton_words", skeleton_));
  }
  SceneTextures(const SceneTextures&) = delete;
  SceneTextures& operator=(const SceneTextures&) = delete;

  const std::vector<Gles::Texture>& all() const { return all_; }

 private:
  static std::uint32_t rows(std::size_t count) { return static_cast<std::uint32_t>(count); }
  static Gles::Texture texture(const std::string& name, const Texels& texels) {
    return {.name = name,
            .width = texels.width,
            .height = texels.height,
            .texel_words = texels.texel_words,
            .words = texels.words};
  }

  SceneAtlas atlas_;
  std::vector<std::uint32_t> clips_, table_, characters_;
  Texels channels_, skeleton_;
  std::vector<Gles::Texture> all_;
};

SceneNumbers run_essl(Gles& gles, const LanguageScene& scene, std::string_view more,
                      const std::vector<Gles::Texture>& textures) {
  return gles.run({.source = essl_of(scene, "language_skin.vert", more),
                   .attributes = attributes_of(scene),
                   .uniforms = {{"now", scene.batch.now}, {"quality", scene.batch.quality}},
                   .textures = textures,
                   .outputs = {"found_position", "found_normal", "found_tangent"},
                   .vertices = scene.batch.vertex_count,
                   .instances = scene.batch.instance_count});
}

}  // namespace

SceneNumbers run_essl(Gles& gles, const LanguageScene& scene, AtlasAs as) {
  const SceneTextures textures(scene, as);
  return run_essl(gles, scene, as == AtlasAs::unorm8 ? "#define THRONG_ATLAS_UNORM8\n" : "", textures.all());
}

SceneNumbers run_essl_in_passes(Gles& gles, const LanguageScene& scene) {
  const SceneTextures textures(scene, AtlasAs::words);
  const std::uint32_t columns = scene.constants.columns;
  const auto pose = gles.draw({.source = essl_of(scene, "language_pose.frag", {}),
                               .uniforms = {{"now", scene.batch.now}},
                               .textures = textures.all(),
                               .outputs = 2,
                               .width = columns,
                               .height = scene.batch.instance_count});
  EXPECT_EQ(pose.size(), 2u);
  if (pose.size() != 2) return {};
  std::vector<Gles::Texture> all = textures.all();
  all.push_back({.name = "turns", .width = columns, .height = scene.batch.instance_count, .words = pose[0]});
  all.push_back({.name = "shifts", .width = columns, .height = scene.batch.instance_count, .words = pose[1]});
  return run_essl(gles, scene, "#define THRONG_POSE_PASS\n", all);
}

namespace {

// What the crowd spans: characters of 16 m and twice that, 10 m apart.
constexpr double kDiagonal = 50.0;

}  // namespace

void expect_same(const SceneNumbers& found, const SceneNumbers& expected, const LanguageScene& scene,
                 const SceneBound& bound) {
  ASSERT_EQ(expected.size(), std::size_t{scene.batch.vertex_count} * scene.batch.instance_count * 12);
  ASSERT_EQ(found.size(), expected.size());
  SceneBound worst;
  std::size_t fading = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double a = std::bit_cast<float>(found[i]);
    const double b = std::bit_cast<float>(expected[i]);
    const std::size_t number = i % 12;
    ASSERT_TRUE(std::isfinite(b)) << "vertex " << i / 12 << ", number " << number;
    if (number == 3) fading += b < 1.0 ? 1 : 0;
    double& measured = number < 4 ? worst.position : worst.direction;
    measured = std::max(measured, std::abs(a - b) / (number < 4 ? kDiagonal : 1.0));
  }
  EXPECT_LE(worst.position, bound.position);
  EXPECT_LE(worst.direction, bound.direction);
  EXPECT_GT(fading, found.size() / 12 / 6) << "cross-fades are part of this";
  EXPECT_LT(fading, found.size() / 12);
  ::testing::Test::RecordProperty("worst_position", fmt::format("{:.2e}", worst.position));
  ::testing::Test::RecordProperty("worst_direction", fmt::format("{:.2e}", worst.direction));
}

void expect_as_decoded(const SceneNumbers& found, const LanguageScene& scene, double bound) {
  double worst = 0.0;
  for (std::size_t i = 0; i < scene.instances.size(); ++i) {
    const DecodedVertices exact = deform(scene.model, scene.plays[i], Ticks{kSceneNow});
    const glm::dmat4 place = world_from_model(scene.instances[i]);
    ASSERT_EQ(found.size(), exact.positions.size() * scene.instances.size() * 12);
    for (std::size_t v = 0; v < exact.positions.size(); ++v) {
      const auto number = [&](std::size_t n) {
        return std::bit_cast<float>(found[(i * exact.positions.size() + v) * 12 + n]);
      };
      const glm::dvec3 at(number(0), number(1), number(2));
      const double off = glm::distance(at, glm::dvec3(place * glm::dvec4(exact.positions[v], 1.0)));
      ASSERT_LE(off, bound) << "character " << i << ", vertex " << v;
      worst = std::max(worst, off);
    }
  }
  ::testing::Test::RecordProperty("worst_decoded", fmt::format("{:.2e}", worst));
}

}  // namespace throng::test
