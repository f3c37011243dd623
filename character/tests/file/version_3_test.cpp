// SPDX-License-Identifier: Apache-2.0
// Files of version 3.1 are read for ever. data/ holds one of vertex mode: a card of 2 m, standing on the ground, that
// sways by 45 degrees about its foot and back within a second, baked at six frames a second with tangents. Its vertices
// are whole, as they were then.
#include "paths.h"
#include "small_asset.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

std::filesystem::path old_path() { return test::source_folder() / "character/tests/data/version-3.1.throng.glb"; }

Halves old_halves() {
  const auto bytes = map_file(old_path());
  EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : bytes.error().message);
  return taken_apart({bytes->span().begin(), bytes->span().end()});
}

const std::array<glm::dvec3, 4> kCard{glm::dvec3(-1, 0, 0), {1, 0, 0}, {-1, 2, 0}, {1, 2, 0}};

// As the card swayed: frames are exact to the encoding's 14 bits of a box of 3 m.
void expect_sways(const Character& model) {
  const BakedClip& clip = model.clips()[0];
  ASSERT_EQ(clip.frame_count, 6u);
  constexpr double kRounding = 3.0 / 16383.0;
  for (std::uint32_t frame = 0; frame < 6; ++frame) {
    const std::uint32_t at = clip.first_frame + frame;
    const DecodedVertices decoded = decode_pose(model, clip, {at, at, 0.0f}, 0.0);
    const double angle = glm::radians(45.0) * (frame <= 3 ? frame / 3.0 : 2.0 - frame / 3.0);
    const glm::dquat turn = glm::angleAxis(angle, glm::dvec3(0, 0, 1));
    ASSERT_EQ(decoded.tangents.size(), 4u);
    for (std::size_t v = 0; v < 4; ++v) {
      const std::size_t baked = model.baked_from_source().empty() ? v : model.baked_from_source()[v];
      EXPECT_LT(glm::distance(decoded.positions[baked], turn * kCard[v]), kRounding) << frame << " " << v;
      EXPECT_LT(glm::distance(glm::dvec3(decoded.tangents[baked]), turn * glm::dvec3(1, 0, 0)), 1e-3);
      EXPECT_EQ(model.vertices()[baked].position, glm::vec3(kCard[v]));
      // Red, green, blue and white.
      const auto part = [v](std::size_t i) { return v == i || v == 3 ? std::uint8_t{255} : std::uint8_t{0}; };
      EXPECT_EQ(model.vertices()[baked].colour, (std::array<std::uint8_t, 4>{part(0), part(1), part(2), 255}));
    }
  }
}

TEST(Version3, SaysWhatItSaidBeforeVerticesWereSurfaces) {
  Halves halves = old_halves();
  EXPECT_EQ(halves.extension_copy()["version"], "3.1");
  EXPECT_TRUE(halves.json["meshes"][0]["primitives"][0]["attributes"].contains("_BONES"));
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  expect_sways(*model);
}

TEST(Version3, DropsOnReadingWhatFramesHold) {
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  EXPECT_EQ(model->vertices().surfaces().size(), 4u);
  EXPECT_TRUE(model->vertices().whole().empty());
  EXPECT_TRUE(model->tangents().empty());
  EXPECT_TRUE(model->has_tangents());
  EXPECT_TRUE(model->upload().skin_vertices.empty());
}

TEST(Version3, WrittenAgainItIsSmallerAndSaysTheSame) {
  const auto model = read_character(old_path());
  ASSERT_TRUE(model.has_value()) << model.error().message;
  const std::vector<std::byte> again = file_of(*model);
  // 28 of 52 bytes a vertex, tangents and skin vertices: 76 of 100 for four vertices, and what announces them.
  EXPECT_LT(again.size() + std::size_t{4} * 76, std::filesystem::file_size(old_path()));
  Halves halves = taken_apart(again);
  EXPECT_EQ(halves.extension_copy()["version"], "4.2");
  EXPECT_FALSE(halves.extension_copy().contains("skinVertices"));
  const auto reread = decode_character(SharedBytes(again));
  ASSERT_TRUE(reread.has_value()) << reread.error().message;
  expect_sways(*reread);
}

}  // namespace
}  // namespace throng
