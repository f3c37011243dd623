// SPDX-License-Identifier: Apache-2.0
// One source, three languages: whole vertices of characters, with cross-fades, as HLSL on lavapipe and as ESSL through
// OpenGL ES, against the same as GLSL. That GLSL is right, the other tests of this folder say.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "compute_program.h"
#include "dice.h"
#include "instrumented.h"
#include "language_gles.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

constexpr std::uint32_t kGlslCode[] = {
#include "language_skin.comp.inc"
};
constexpr std::uint32_t kHlslCode[] = {
#include "language_skin.hlsl.inc"
};
// Of an atlas bound as RGBA8, which is read as numbers from 0 to 1.
constexpr std::uint32_t kGlslUnormCode[] = {
#include "language_skin+atlas_unorm8.comp.inc"
};
constexpr std::uint32_t kHlslUnormCode[] = {
#include "language_skin_unorm8.hlsl.inc"
};

constexpr std::uint32_t kInstances = 60;
constexpr std::uint32_t kVertexWords = 20;  // position, normal, tangent, bones, weights
constexpr std::uint32_t kNearest = 8;       // of a quality: no interpolation
constexpr std::uint32_t kMorphs = 16;       // of a quality: morph targets
constexpr std::uint64_t kNow = 0x3'1234'5678;

struct Batch {
  glm::uvec2 now{static_cast<std::uint32_t>(kNow), static_cast<std::uint32_t>(kNow >> 32)};
  std::uint32_t vertex_count = 0;
  std::uint32_t instance_count = kInstances;
  std::uint32_t quality = 4;
};

// Of the model, as throng/shaders/sampling/sampling.glsl wants them, in the order of the shaders' constant_id.
struct Constants {
  std::uint32_t atlas_width = 0;
  std::uint32_t texel_words = 0;
  std::uint32_t frame_shapes = 0;
  std::uint32_t encodings = 0;
  std::uint32_t columns = 0;
  std::uint32_t animated_tangents = 0;
};

template <typename T>
std::vector<std::uint32_t> words_of(std::span<const T> values) {
  std::vector<std::uint32_t> words(values.size_bytes() / 4);
  std::memcpy(words.data(), values.data(), values.size_bytes());
  return words;
}

// A model and its crowd, as every language is given them.
struct Scene {
  Character model;
  Batch batch = {};
  Constants constants = {};
  std::vector<InstanceRecord> instances = {};
  std::vector<PlayRecord> plays = {};
  std::vector<ClipRecord> clips = {};
  std::vector<std::uint32_t> vertices = {};
  std::vector<std::uint32_t> morphs = {};  // four at least: no buffer is empty
};

// Three components that leave room for the fourth.
gpu::uvec2 random_rotation(test::Dice& dice) {
  const auto field = [&] { return 234287u + dice.below(580000); };
  const std::uint32_t a = field(), b = field(), c = field();
  return {a | b << 20, b >> 12 | c << 8 | dice.below(4) << 28};
}

gpu::uvec2 halves_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
}

TrackRecord random_track(const Character& model, test::Dice& dice) {
  TrackRecord track{};
  track.clip = dice.below(static_cast<std::uint32_t>(model.clips().size()));
  track.wrap = dice.below(3);
  track.phase = {dice.bits(), dice.bits()};
  track.rate = halves_of((std::uint64_t{dice.bits()} << 3) * (dice.below(4) == 0 ? ~std::uint64_t{0} : 1));
  track.start = halves_of(kNow - dice.below(1u << 30));
  return track;
}

PlayRecord random_play(const Character& model, test::Dice& dice) {
  PlayRecord play{};
  play.track = random_track(model, dice);
  if (dice.below(2) == 0) return play;
  play.previous = random_track(model, dice);
  play.fade_ticks = 1000000;
  play.fade_start = halves_of(kNow - dice.below(1200000));  // some are over
  return play;
}

void add_vertex(std::vector<std::uint32_t>& words, const BakedVertex& vertex, test::Dice& dice) {
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

Scene make_scene(const test::ModelShape& shape) {
  Scene scene{.model = test::random_model(shape)};
  test::Dice dice(77);
  const Character& model = scene.model;
  scene.constants.atlas_width = model.atlas().layout.width;
  scene.constants.texel_words = model.atlas().layout.texel_words;
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
  for (std::uint32_t i = 0; i < kInstances; ++i) {
    InstanceRecord instance{};
    instance.position = glm::vec3(dice.point(5.0));
    instance.scale = static_cast<float>(dice.between(0.5, 2.0));
    instance.rotation = random_rotation(dice);
    scene.instances.push_back(instance);
    scene.plays.push_back(random_play(model, dice));
  }
  return scene;
}

using Vertices = std::vector<std::uint32_t>;  // position and fade weight, normal, tangent: twelve numbers each

// Words as they are; or, of rgbm alone, the same bytes as numbers.
enum class AtlasAs : std::uint8_t { words, unorm8 };

VkFormat format_of(const Layout& layout, AtlasAs as) {
  if (as == AtlasAs::unorm8) return VK_FORMAT_R8G8B8A8_UNORM;
  if (layout.texel_words == 1) return VK_FORMAT_R32_UINT;
  return layout.texel_words == 4 ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32G32_UINT;
}

Vertices run_compute(const VulkanContext& context, std::span<const std::uint32_t> code, const Scene& scene,
                     AtlasAs as = AtlasAs::words) {
  const std::vector<std::uint32_t> constants = words_of(std::span(&scene.constants, 1));
  test::ComputeProgram program(context, code, 6, true, sizeof(Batch), constants);
  const Atlas& atlas = scene.model.atlas();
  ImageShape shape{.format = format_of(atlas.layout, as),
                   .width = atlas.layout.width,
                   .height = atlas.height,
                   .layers = atlas.layer_count};
  shape.array = true;
  const ImageResource image = upload_image(program.gpu(), shape, std::as_bytes(atlas.words)).value();
  const std::uint32_t count = scene.batch.vertex_count * kInstances;
  // A model that stores vertices has no table, and no buffer is empty.
  const std::vector<glm::vec4> no_table(1);
  const auto table = scene.model.table().empty() ? std::span<const glm::vec4>(no_table) : scene.model.table();
  return program.run({.inputs = {std::as_bytes(std::span(scene.instances)), std::as_bytes(std::span(scene.plays)),
                                 std::as_bytes(std::span(scene.clips)), std::as_bytes(table),
                                 std::as_bytes(std::span(scene.vertices)), std::as_bytes(std::span(scene.morphs))},
                      .push = std::as_bytes(std::span(&scene.batch, 1)),
                      .output_words = std::size_t{count} * 12,
                      .groups = (count + 63) / 64,
                      .image = &image});
}

std::vector<std::uint32_t> character_words(const Scene& scene) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < scene.instances.size(); ++i) {
    const auto instance = words_of(std::span(&scene.instances[i], 1));
    const auto play = words_of(std::span(&scene.plays[i], 1));
    words.insert(words.end(), instance.begin(), instance.end());
    words.insert(words.end(), play.begin(), play.end());
  }
  return words;
}

std::vector<test::Gles::Attribute> attributes_of(const Scene& scene) {
  std::vector<test::Gles::Attribute> attributes;
  for (const char* name : {"mesh_position", "mesh_normal", "mesh_tangent", "mesh_bones", "mesh_weights"})
    attributes.push_back({.name = name, .size = 4});
  for (std::size_t i = 0; i < scene.vertices.size(); ++i)
    attributes[i % kVertexWords / 4].values.push_back(scene.vertices[i]);
  return attributes;
}

// With the model's numbers behind the first line, which says the version.
std::string essl_of(const Constants& constants, AtlasAs as) {
  std::ifstream stream(THRONG_ESSL_DIR "/language_skin.vert");
  std::string version;
  std::getline(stream, version);
  std::stringstream rest;
  rest << stream.rdbuf();
  return fmt::format(
      "{}\n{}#define kAtlasWidth {}u\n#define kTexelWords {}u\n#define kFrameShapes {}u\n#define kEncodings {}u\n"
      "#define kColumns {}u\n#define kAnimatedTangents {}u\n{}",
      version, as == AtlasAs::unorm8 ? "#define THRONG_ATLAS_UNORM8\n" : "", constants.atlas_width,
      constants.texel_words, constants.frame_shapes, constants.encodings, constants.columns,
      constants.animated_tangents, rest.str());
}

Vertices run_essl(test::Gles& gles, const Scene& scene, AtlasAs as = AtlasAs::words) {
  using Kind = test::Gles::Texture::Kind;
  const Atlas& atlas = scene.model.atlas();
  const auto clips = words_of(std::span(scene.clips));
  const auto characters = character_words(scene);
  const auto table = scene.model.table().empty() ? std::vector<std::uint32_t>(4) : words_of(scene.model.table());
  const auto rows = [](std::size_t count) { return static_cast<std::uint32_t>(count); };
  const Batch& batch = scene.batch;
  return gles.run(
      {.source = essl_of(scene.constants, as),
       .attributes = attributes_of(scene),
       .uniforms = {{"now", batch.now}, {"quality", batch.quality}},
       .textures = {{.name = "atlas",
                     .width = atlas.layout.width,
                     .height = atlas.height,
                     .layers = atlas.layer_count,
                     .texel_words = atlas.layout.texel_words,
                     .kind = as == AtlasAs::unorm8 ? Kind::bytes : Kind::words,
                     .words = atlas.words},
                    {.name = "clip_words", .width = 4, .height = rows(scene.clips.size()), .words = clips},
                    {.name = "table_rows", .height = rows(table.size() / 4), .kind = Kind::floats, .words = table},
                    {.name = "character_words", .width = 8, .height = kInstances, .words = characters},
                    {.name = "morph_words", .height = rows(scene.morphs.size() / 4), .words = scene.morphs}},
       .outputs = {"found_position", "found_normal", "found_tangent"},
       .vertices = batch.vertex_count,
       .instances = kInstances});
}

// What numbers may differ by.
struct Bound {
  double position = 0.0;   // of the crowd's size
  double direction = 0.0;  // of normals and tangents
};

// The order in which a matrix is multiplied is a language's own, and so is how numbers are divided and mixed in OpenGL
// ES.
constexpr Bound kExactly;
constexpr Bound kHlslMatrices{1e-7, 4e-6};
constexpr Bound kEssl{1e-6, 4e-5};

// What the crowd spans: characters of 16 m and twice that, 10 m apart.
constexpr double kDiagonal = 50.0;

void expect_same(const Vertices& found, const Vertices& expected, const Scene& scene, const Bound& bound) {
  ASSERT_EQ(expected.size(), std::size_t{scene.batch.vertex_count} * kInstances * 12);
  ASSERT_EQ(found.size(), expected.size());
  Bound worst;
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

struct Case {
  std::string name = {};
  test::ModelShape shape = {};
  std::uint32_t quality = 4;
};
void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

class LanguagesSkin : public test::OnDevice, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    scene_.batch.quality = GetParam().quality;
  }

  Scene scene_ = make_scene(GetParam().shape);
};

TEST_P(LanguagesSkin, TheSameVerticesAsHlslAndAsGlsl) {
  const bool matrices = std::ranges::any_of(GetParam().shape.encodings, [](Encoding encoding) {
    return encoding == Encoding::rows || encoding == Encoding::half_rows;
  });
  expect_same(run_compute(context(), kHlslCode, scene_), run_compute(context(), kGlslCode, scene_), scene_,
              matrices ? kHlslMatrices : kExactly);
}

TEST_P(LanguagesSkin, TheSameVerticesAsEsslAndAsGlsl) {
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << why_not;
  expect_same(run_essl(*gles, scene_), run_compute(context(), kGlslCode, scene_), scene_, kEssl);
}

// A file's rgbm bytes as any target has them, against the same read as whole numbers, and both against C++.
class LanguagesUnorm8 : public test::OnDevice, public ::testing::WithParamInterface<bool> {
 protected:
  Scene scene_ = make_scene({.layout = {50, 1, true},
                             .vertices = 30,
                             .clip_frames = {8, 5, 1},
                             .encodings = {Encoding::rgbm},
                             .tangents = GetParam(),
                             .layer_rows = 7});
};

TEST_P(LanguagesUnorm8, ReadsRgba8AsNumbersInEveryLanguage) {
  ASSERT_GT(scene_.model.atlas().layer_count, 2u);
  const Vertices as_words = run_compute(context(), kGlslCode, scene_);
  expect_same(run_compute(context(), kGlslUnormCode, scene_, AtlasAs::unorm8), as_words, scene_, kExactly);
  expect_same(run_compute(context(), kHlslUnormCode, scene_, AtlasAs::unorm8), as_words, scene_, kExactly);
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_same(run_essl(*gles, scene_, AtlasAs::unorm8), as_words, scene_, kEssl);
}

TEST_P(LanguagesUnorm8, ReadsWhatTheDecoderReads) {
  const Vertices found = run_compute(context(), kGlslUnormCode, scene_, AtlasAs::unorm8);
  for (std::size_t i = 0; i < kInstances; ++i) {
    const DecodedVertices exact = deform(scene_.model, scene_.plays[i], Ticks{kNow});
    const glm::dmat4 place = world_from_model(scene_.instances[i]);
    for (std::size_t v = 0; v < exact.positions.size(); ++v) {
      const auto number = [&](std::size_t n) {
        return std::bit_cast<float>(found[(i * exact.positions.size() + v) * 12 + n]);
      };
      const glm::dvec3 at(number(0), number(1), number(2));
      ASSERT_LT(glm::distance(at, glm::dvec3(place * glm::dvec4(exact.positions[v], 1.0))), 2e-5)
          << "character " << i << ", vertex " << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rgbm, LanguagesUnorm8, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "with_tangents" : "without_tangents"; });

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto shape = [](std::vector<Encoding> encodings) {
    const std::uint32_t texel_words = std::ranges::any_of(encodings, is_half) ? 2 : 4;
    return test::ModelShape{.bones = 9, .layout = {33, texel_words}, .vertices = 30, .encodings = std::move(encodings)};
  };
  for (const Encoding encoding : kEncodings) {
    const ItemKind kind = info_of(encoding).kind;
    if (kind == ItemKind::slot || kind == ItemKind::channel) continue;  // wants a pass before
    std::string name(name_of(encoding));
    std::ranges::replace(name, '-', '_');
    all.push_back({name, shape({encoding})});
    all.back().shape.tangents = encoding == Encoding::v8 || encoding == Encoding::half_vertex;
  }
  all.push_back({"quaternions_and_rows", shape({Encoding::q8, Encoding::rows})});
  all.push_back({"vertices_without_tangents", shape({Encoding::v8, Encoding::half_vertex})});
  all.push_back({"small_texels", shape({Encoding::q12, Encoding::q16})});
  all.back().shape.layout = {100, 2};
  all.push_back({"bones_over_layers", shape({Encoding::q16, Encoding::q8})});
  all.back().shape.layer_rows = 5;
  all.push_back({"vertices_over_layers", shape({Encoding::v8})});
  all.back().shape.layer_rows = 9;
  all.push_back({"half_quaternion_a_frame_a_row", shape({Encoding::half_quaternion})});
  all.back().shape.layout = {90, 2, true};
  all.back().shape.layer_rows = 4;
  all.push_back({"two_bones", shape({Encoding::x16}), 2});
  all.push_back({"one_bone_at_the_nearest_frame", shape({Encoding::q16}), kNearest | 1});
  all.push_back({"morph_targets", shape({Encoding::q16, Encoding::rows}), kMorphs | 4});
  all.back().shape.morphs = 3;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Models, LanguagesSkin, ::testing::ValuesIn(test::a_part_if_instrumented(cases())),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace throng
