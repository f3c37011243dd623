// SPDX-License-Identifier: Apache-2.0
// The classic layouts, read by shaders that know nothing but their plain formulas: what a bake of Throng is to those
// who have such shaders. Compared with the source's own curves.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>

#include "compute_program.h"
#include "instrumented.h"
#include "language_gles.h"
#include "mannequin_model.h"
#include "skinning/source_check.h"
#include "test_device.h"
#include "throng/bake/bake.h"

namespace throng {
namespace {

constexpr std::uint32_t kCode[] = {
#include "language_classic.comp.inc"
};

struct Batch {
  std::uint32_t vertex_count = 0;
  std::uint32_t count = 0;
  std::uint32_t kind = 0;  // 0: a quaternion a bone; 1: rows; 2: vertices
  std::int32_t rows_per_frame = 1;
  std::int32_t frames_per_layer = 1;
};

struct PlainVertex {
  glm::vec4 position, normal, bones, weights;
};

// What a program with a classic shader hands to it.
struct Scene {
  Batch batch;
  std::vector<PlainVertex> vertices;
  std::vector<glm::vec4> characters;  // frame, next, blend, layer
};

Scene scene_of(const Character& model, const test::Cast& cast) {
  Scene scene;
  const BakedClip& first = model.clips()[0];
  const FrameLayout frames = frame_layout(model, first);
  scene.batch.vertex_count = static_cast<std::uint32_t>(model.vertices().size());
  scene.batch.count = scene.batch.vertex_count * static_cast<std::uint32_t>(cast.size());
  scene.batch.kind = first.encoding == Encoding::half_vertex ? 2 : first.encoding == Encoding::half_rows ? 1 : 0;
  scene.batch.rows_per_frame = static_cast<std::int32_t>(frames.rows_per_frame);
  scene.batch.frames_per_layer = static_cast<std::int32_t>(model.atlas().height / frames.rows_per_frame);
  for (const BakedVertex& vertex : model.vertices()) {
    const auto& b = vertex.bones;
    const auto& w = vertex.weights;
    scene.vertices.push_back({glm::vec4(vertex.position, 1.0f), glm::vec4(vertex.normal, 0.0f),
                              glm::vec4(b[0], b[1], b[2], b[3]), glm::vec4(w[0], w[1], w[2], w[3]) / 65535.0f});
  }
  for (const PlayRecord& play : cast.plays) {
    const BakedClip& clip = model.clips()[play.track.clip];
    const Cursor cursor = test::cpu_cursor(model, play.track, 0);
    scene.characters.emplace_back(cursor.frame, cursor.next, cursor.blend, clip.layer);
  }
  return scene;
}

SkinnedCrowd crowd_of(const Character& model, const test::Cast& cast, const std::vector<std::uint32_t>& found) {
  SkinnedCrowd crowd{.vertices_per_instance = static_cast<std::uint32_t>(model.vertices().size()),
                     .positions = {},
                     .normals = {},
                     .tangents = {},
                     .moments = {}};
  const auto number = [&](std::size_t at) { return std::bit_cast<float>(found[at]); };
  for (std::size_t i = 0; i + 7 < found.size(); i += 8) {
    crowd.positions.emplace_back(number(i), number(i + 1), number(i + 2));
    crowd.normals.emplace_back(number(i + 4), number(i + 5), number(i + 6));
  }
  for (const PlayRecord& play : cast.plays) {
    gpu::Moment moment{};
    moment.cursor = test::cpu_cursor(model, play.track, 0);
    crowd.moments.push_back(moment);
  }
  return crowd;
}

std::vector<std::uint32_t> run_glsl(const VulkanContext& context, const Character& model, const Scene& scene) {
  test::ComputeProgram program(context, kCode, 2, 1, sizeof(Batch));
  ImageShape shape{.format = VK_FORMAT_R16G16B16A16_SFLOAT,
                   .width = model.atlas().layout.width,
                   .height = model.atlas().height,
                   .layers = model.atlas().layer_count};
  shape.array = true;
  const ImageResource image = upload_image(program.gpu(), shape, std::as_bytes(model.atlas().words)).value();
  return program.run({.inputs = {std::as_bytes(std::span(scene.vertices)), std::as_bytes(std::span(scene.characters))},
                      .push = std::as_bytes(std::span(&scene.batch, 1)),
                      .output_words = std::size_t{scene.batch.count} * 8,
                      .groups = (scene.batch.count + 63) / 64,
                      .images = {&image}});
}

std::string essl() {
  std::ifstream stream(THRONG_ESSL_DIR "/language_classic.vert");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::uint32_t> run_essl(test::Gles& gles, const Character& model, const Scene& scene) {
  using Kind = test::Gles::Texture::Kind;
  std::vector<test::Gles::Attribute> attributes;
  for (const char* name : {"mesh_position", "mesh_normal", "mesh_bones", "mesh_weights"})
    attributes.push_back({.name = name, .size = 4});
  for (const PlainVertex& vertex : scene.vertices) {
    const auto words = std::bit_cast<std::array<std::uint32_t, 16>>(vertex);
    for (std::size_t i = 0; i < words.size(); ++i) attributes[i / 4].values.push_back(words[i]);
  }
  std::vector<std::uint32_t> characters(scene.characters.size() * 4);
  std::memcpy(characters.data(), scene.characters.data(), characters.size() * 4);
  const Atlas& atlas = model.atlas();
  return gles.run({.source = essl(),
                   .attributes = attributes,
                   .uniforms = {{"kind", scene.batch.kind},
                                {"rows_per_frame", static_cast<std::uint32_t>(scene.batch.rows_per_frame)},
                                {"frames_per_layer", static_cast<std::uint32_t>(scene.batch.frames_per_layer)}},
                   .textures = {{.name = "anim_texture",
                                 .width = atlas.layout.width,
                                 .height = atlas.height,
                                 .layers = atlas.layer_count,
                                 .texel_words = 2,
                                 .kind = Kind::halves,
                                 .words = atlas.words},
                                {.name = "characters",
                                 .height = static_cast<std::uint32_t>(scene.characters.size()),
                                 .kind = Kind::floats,
                                 .words = characters}},
                   .outputs = {"found_position", "found_normal"},
                   .vertices = scene.batch.vertex_count,
                   .instances = static_cast<std::uint32_t>(scene.characters.size())});
}

struct Case {
  std::string name = {};
  BakeSettings settings = {};
  std::uint32_t least_layers = 1;
};
void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

class ClassicFormulas : public test::OnDevice, public ::testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    ThreadExecutor executor;
    auto made = bake(source_, GetParam().settings, executor);
    ASSERT_TRUE(made) << made.error().message;
    baked_ = *std::move(made);
    ASSERT_GE(baked_->atlas().layer_count, GetParam().least_layers);
    ASSERT_EQ(baked_->atlas().layout.texel_words, 2u);
    cast_ = test::every_clip(*baked_, 3);
    scene_ = scene_of(*baked_, cast_);
  }

  void expect_true(const std::vector<std::uint32_t>& found) {
    ASSERT_EQ(found.size(), std::size_t{scene_.batch.count} * 8);
    const auto compared = test::compare_with_source(source_, *baked_, cast_, crowd_of(*baked_, cast_, found));
    EXPECT_GE(compared.positions, std::size_t{scene_.batch.count});
  }

  Model source_ = test::mannequin_model();
  std::optional<Character> baked_;
  test::Cast cast_;
  Scene scene_;
};

TEST_P(ClassicFormulas, ReadTheBakeInGlslAndInEssl) {
  ASSERT_NO_FATAL_FAILURE(expect_true(run_glsl(context(), *baked_, scene_)));
  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << "as ESSL: " << why_not;
  expect_true(run_essl(*gles, *baked_, scene_));
}

// Each encoding in every shape, in one layer and in several.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Encoding encoding : {Encoding::half_quaternion, Encoding::half_rows, Encoding::half_vertex}) {
    const bool vertices = encoding == Encoding::half_vertex;
    BakeSettings settings{.mode = vertices ? BakeMode::vertices : BakeMode::bones, .encoding = encoding};
    settings.max_error_mm.reset();  // 30 frames a second
    settings.clips = {"walk", "jump"};
    if (!vertices) settings.clips.emplace_back("wave");
    std::string name(name_of(encoding));
    std::ranges::replace(name, '-', '_');
    all.push_back({name, settings});
    // In bone mode a frame takes 60 or 90 texels and a row, in vertex mode 6,000.
    settings.max_atlas_size = vertices ? 600 : 90;
    all.push_back({name + "_in_layers", settings, 2});
    settings.max_atlas_size = vertices ? 1024 : 128;
    settings.shape = AtlasShape::power_of_two;
    all.push_back({name + "_in_powers_of_two", settings});
    settings.shape = AtlasShape::square;
    settings.max_atlas_size.reset();
    if (!vertices) settings.max_atlas_size = 90;  // a clip longer than a layer, and no frame wider
    all.push_back({name + "_in_squares", settings, 2});
    if (vertices) continue;
    settings.max_atlas_size.reset();  // 256: several frames would have room in a row
    all.push_back({name + "_in_wide_squares", settings});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Layouts, ClassicFormulas, ::testing::ValuesIn(test::a_part_if_instrumented(cases())),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace throng
