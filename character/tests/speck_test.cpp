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
  const gpu::SpeckRecord speck = speck_of_model(two.draft()).whole;
  expect_colour(speck.bands[0], {1.0f, 0.0f, 0.0f});
  expect_colour(speck.bands[gpu::kSpeckBands - 1], {0.0f, 0.0f, 1.0f});
  expect_colour(speck.bands[1], {0.5f, 0.0f, 0.5f});
}

TEST(Speck, HasTheMeanOfItsVerticesColours) {
  TwoTriangles two;
  two.vertices[1].colour = {0, 255, 255, 255};
  two.vertices[2].colour = {51, 255, 255, 255};
  expect_colour(speck_of_model(two.draft()).whole.bands[0], {(1.0f + 0.0f + 0.2f) / 3.0f, 0.0f, 0.0f});
}

// The low triangle is of one part and the high one, three times as far out, of another.
TEST(Speck, IsTheSumOfWhatIsWorn) {
  TwoTriangles two;
  CharacterDraft draft = two.draft();
  for (std::size_t i = 3; i < 6; ++i) two.vertices[i].position.x *= 3.0f;
  static constexpr std::array<std::uint8_t, 6> kParts{0, 0, 0, 1, 1, 1};
  draft.parts = {{"low", draft.bounds}, {"high", draft.bounds}};
  draft.vertex_parts = kParts;
  const Speck speck = speck_of_model(draft);
  ASSERT_EQ(speck.parts.size(), 2u);
  const gpu::SpeckRecord low = gpu::speck_of(speck.parts[0]), high = gpu::speck_of(speck.parts[1]);
  for (std::size_t band = 0; band < gpu::kSpeckBands; ++band) {
    expect_colour(low.bands[band], {1.0f, 0.0f, 0.0f});
    expect_colour(high.bands[band], {0.0f, 0.0f, 1.0f});
    EXPECT_NEAR(high.bands[band].w, 3.0f * low.bands[band].w, 1e-5f);
  }
  gpu::SpeckSums both = speck.parts[0];
  for (std::size_t band = 0; band < gpu::kSpeckBands; ++band) both.painted[band] += speck.parts[1].painted[band];
  both.reach += speck.parts[1].reach;
  for (std::size_t band = 0; band < gpu::kSpeckBands; ++band)
    EXPECT_LT(glm::distance(gpu::speck_of(both).bands[band], speck.whole.bands[band]), 1e-6f);
  expect_colour(speck.whole.bands[0], {1.0f, 0.0f, 0.0f});
  EXPECT_TRUE(speck_of_model(two.draft()).parts.empty());
}

}  // namespace
}  // namespace throng::detail::character
