// SPDX-License-Identifier: Apache-2.0
// Vertex numbers as an attribute, and rgbm as RGBA8, on the least target there is: a vertex shader of OpenGL ES 2 that
// samples a texture, fed from the file alone and compared with the decoder.
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <sstream>

#include "language_gles.h"
#include "mannequin_model.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

std::string shader() {
  std::ifstream stream(THRONG_ESSL_DIR "/language_vertex_numbers.vert");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Written to a file and read from it again.
Character baked(const BakeSettings& settings) {
  ThreadExecutor executor;
  const auto made = bake(test::mannequin_model(), settings, executor);
  EXPECT_TRUE(made) << made.error().message;
  auto read = decode_character(SharedBytes(encode_character(*made).value()));
  EXPECT_TRUE(read) << read.error().message;
  return *std::move(read);
}

class VertexNumbers : public ::testing::TestWithParam<bool> {};

TEST_P(VertexNumbers, LeadAShaderWithoutAVertexIdToItsTexels) {
  BakeSettings settings{.mode = BakeMode::vertices, .encoding = Encoding::rgbm, .vertex_numbers = true};
  settings.clips = {"walk"};
  settings.tangents = GetParam();
  settings.max_atlas_size = 2048;
  const Character model = baked(settings);
  ASSERT_EQ(model.atlas().layout.texel_words, 1u);
  ASSERT_EQ(model.atlas().layer_count, 1u);
  const BakedClip& clip = model.clips()[0];
  const FrameLayout frames = frame_layout(model, clip);
  ASSERT_GT(frames.rows_per_frame, 1u) << "for the numbers to fold";

  std::string why_not;
  const auto gles = test::Gles::create(why_not);
  if (gles == nullptr) GTEST_SKIP() << why_not;
  test::Gles::Attribute numbers{.name = "vertex_number", .floats = true};
  ASSERT_EQ(model.vertex_numbers().size(), model.vertices().size());
  // Drawn from the last to the first: what comes of a vertex depends on its number and not on its turn.
  for (std::size_t v = model.vertices().size(); v-- > 0;)
    numbers.values.push_back(std::bit_cast<std::uint32_t>(model.vertex_numbers()[v]));
  const auto four = [](auto x, auto y, auto z, auto w) {
    return glm::vec4(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), static_cast<float>(w));
  };
  const Layout& layout = model.atlas().layout;
  for (const Cursor& cursor : {Cursor{0, 1, 0.0f}, Cursor{3, 4, 0.25f}, Cursor{clip.frame_count - 1, 0, 0.75f}}) {
    const auto found = gles->run({.source = shader(),
                                  .attributes = {numbers},
                                  .uniforms = {{"atlas_size", four(layout.width, model.atlas().height,
                                                                   frames.rows_per_frame, GetParam() ? 3 : 2)},
                                               {"frames", four(clip.first_frame + cursor.frame,
                                                               clip.first_frame + cursor.next, cursor.blend, 0)},
                                               {"box_min", glm::vec4(glm::vec3(clip.range.pivot_min), 0.0f)},
                                               {"box_size", glm::vec4(glm::vec3(clip.range.pivot_size), 0.0f)}},
                                  .textures = {{.name = "atlas",
                                                .width = layout.width,
                                                .height = model.atlas().height,
                                                .texel_words = 1,
                                                .kind = test::Gles::Texture::Kind::bytes,
                                                .words = model.atlas().words}},
                                  .outputs = {"found_position", "found_normal"},
                                  .vertices = static_cast<std::uint32_t>(model.vertices().size())});
    ASSERT_EQ(found.size(), model.vertices().size() * 8);
    const DecodedVertices exact =
        decode_pose(model, clip, {clip.first_frame + cursor.frame, clip.first_frame + cursor.next, cursor.blend},
                    double{cursor.blend});
    for (std::size_t i = 0; i < model.vertices().size(); ++i) {
      const std::size_t v = model.vertices().size() - 1 - i;
      const auto number = [&](std::size_t n) { return std::bit_cast<float>(found[i * 8 + n]); };
      ASSERT_LT(glm::distance(glm::dvec3(number(0), number(1), number(2)), exact.positions[v]), 2e-6) << v;
      ASSERT_LT(glm::distance(glm::dvec3(number(4), number(5), number(6)), glm::normalize(exact.normals[v])), 1e-5)
          << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rgbm, VertexNumbers, ::testing::Bool(),
                         [](const auto& tested) { return tested.param ? "with_tangents" : "without_tangents"; });

}  // namespace
}  // namespace throng
