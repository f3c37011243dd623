// SPDX-License-Identifier: Apache-2.0
#include "upload/speck.h"

#include "small_asset.h"

namespace throng::detail::character {
namespace {

// A triangle low on a box 8 units tall, and one high.
struct TwoTriangles {
  std::vector<BakedVertex> vertices = std::vector<BakedVertex>(6);
  std::vector<std::uint32_t> indices{0, 1, 2, 3, 4, 5};

  TwoTriangles() {
    for (BakedVertex& vertex : vertices) vertex.colour = {255, 255, 255, 255};
  }

  CharacterDraft draft() {
    for (std::size_t i = 0; i < 6; ++i) {
      vertices[i].position = {i % 3 == 1 ? 1.0f : 0.0f, (i < 3 ? 0.1f : 7.8f) + (i % 3 == 2 ? 0.1f : 0.0f), 0.0f};
      vertices[i].uv = {0.25f, i < 3 ? 0.25f : 0.75f};
    }
    CharacterDraft draft;
    draft.bounds = {{-1.0, 0.0, -1.0}, {1.0, 8.0, 1.0}};
    draft.materials = {Material{.name = "painted", .base_colour = {1.0f, 0.5f, 1.0f, 1.0f}, .base_image = 0}};
    draft.images = {{"small", "image/png", SharedBytes(small_png())}};
    draft.draws = {{0, 0, 6}};
    draft.vertices = vertices;
    draft.indices = indices;
    return draft;
  }
};

void expect_colour(const glm::vec4& band, const glm::vec3& wanted) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(band[i], wanted[i], 1e-3f) << i;
}

// The picture is red above on its left, and blue below.
TEST(Speck, HasThePicturesColoursAtTheirHeights) {
  TwoTriangles two;
  const gpu::SpeckRecord speck = speck_record(two.draft());
  expect_colour(speck.bands[0], {1.0f, 0.0f, 0.0f});
  expect_colour(speck.bands[gpu::kSpeckBands - 1], {0.0f, 0.0f, 1.0f});
  expect_colour(speck.bands[1], {0.5f, 0.0f, 0.5f});
}

TEST(Speck, HasTheMeanOfItsVerticesColours) {
  TwoTriangles two;
  two.vertices[1].colour = {0, 255, 255, 255};
  two.vertices[2].colour = {51, 255, 255, 255};
  expect_colour(speck_record(two.draft()).bands[0], {(1.0f + 0.0f + 0.2f) / 3.0f, 0.0f, 0.0f});
}

}  // namespace
}  // namespace throng::detail::character
