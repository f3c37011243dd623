// SPDX-License-Identifier: Apache-2.0
// CharacterRenderer as a program with its own renderer uses it: own command buffers, own targets, own formats.
#include "throng/renderer/character_renderer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "near/near_stage.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

using test::kSize;
using test::OwnRenderer;

class CrowdOnGpu : public test::OnDevice {
 protected:
  CharacterRenderer make(const Character& model,
                         const RendererSettings& settings = {.targets = OwnRenderer::targets()}) {
    auto crowd = CharacterRenderer::create(context(), settings);
    EXPECT_TRUE(crowd) << crowd.error().message;
    const auto added = crowd->add(model);
    EXPECT_TRUE(added) << added.error().message;
    return std::move(*crowd);
  }
};

Result<void> set(CharacterRenderer& crowd, const test::Cast& cast) {
  return crowd.set_instances(ModelId(0), cast.instances, cast.plays);
}

std::size_t lit_pixels(const std::vector<float>& red) {
  return static_cast<std::size_t>(std::ranges::count_if(red, [](float value) { return value > 0.0f; }));
}

TEST_F(CrowdOnGpu, DrawsIntoACallersCommandBufferAndFormats) {
  OwnRenderer own(context());
  CharacterRenderer crowd = make(test::card_model({}));
  EXPECT_EQ(lit_pixels(own.draw(crowd, 0)), 0u) << "no instances yet";
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  // 2 m of the 5.82 m that the picture shows at the card's distance.
  const double side = 2.0 / (2.0 * 8.0 * std::tan(glm::radians(20.0))) * kSize;
  EXPECT_NEAR(static_cast<double>(lit_pixels(own.draw(crowd, 0))), side * side, 2.0 * side);
}

TEST_F(CrowdOnGpu, MayRecordAsManyPicturesAtOnceAsWereAskedFor) {
  OwnRenderer own(context());
  RendererSettings settings{.targets = OwnRenderer::targets()};
  settings.targets.images_in_flight = 3;
  CharacterRenderer crowd = make(test::card_model({}), settings);
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  EXPECT_EQ(own.draw(crowd, 0, 3), own.draw(crowd, 0, 1));
}

TEST_F(CrowdOnGpu, KeepsWorkingWhenInstancesComeAndGo) {
  OwnRenderer own(context());
  CharacterRenderer crowd = make(test::card_model({}));
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  const auto alone = own.draw(crowd, 0);
  test::Cast many;
  for (int i = 0; i < 5000; ++i) many.add(test::standing(0));
  ASSERT_TRUE(set(crowd, many));
  EXPECT_EQ(crowd.far_count(), 5000u);
  EXPECT_EQ(own.draw(crowd, 0), alone) << "all on one place";
  EXPECT_EQ(crowd.far_counts().in_picture, 5000u);
  ASSERT_FALSE(set(crowd, {test::standing(7)}));
  EXPECT_EQ(crowd.far_count(), 5000u) << "a refused crowd leaves the old one";
  ASSERT_TRUE(set(crowd, {test::standing(0)}));
  EXPECT_EQ(own.draw(crowd, 0), alone);
}

// The card rises by the same half a metre in each, whoever moves its vertices. One of each kind: what the bits of the
// others come to is compared vertex by vertex (skinning/).
TEST_F(CrowdOnGpu, DrawsTheSameInEveryKindOfEncodingAndEitherWayToSkin) {
  OwnRenderer own(context());
  test::TestCharacter rising = test::standing(1);
  rising.play.track.phase = {0, 1u << 31};
  std::vector<float> expected;
  for (const Skinning skinning : {Skinning::vertex, Skinning::compute})
    for (const Encoding encoding : {Encoding::q16, Encoding::half_rows, Encoding::local8, Encoding::rgbm}) {
      CharacterRenderer crowd =
          make(test::card_model({}, encoding), {.targets = OwnRenderer::targets(), .skinning = skinning});
      ASSERT_TRUE(set(crowd, {rising, test::standing(0, {3.0f, 0.0f, 0.0f})}));
      EXPECT_EQ(crowd.skinning(), skinning);
      const auto red = own.draw(crowd, 0);
      if (expected.empty()) expected = red;
      EXPECT_GT(lit_pixels(red), 400u);
      std::size_t different = 0;
      for (std::size_t i = 0; i < red.size(); ++i)
        if (std::abs(red[i] - expected[i]) > 0.02f) ++different;
      EXPECT_LE(different, 40u) << name_of(encoding) << ": more than pixels at the edges";
    }
}

// Added twice, once for each life: whichever came first, near ones are found by find() and far ones by update().
TEST_F(CrowdOnGpu, FindsTheModelOfACharacterThatIsNearAndTheOneThatIsFar) {
  const Character character = test::near_character(test::card());
  Crowd crowd(character);
  for (const float x : {-1.0f, 0.0f, 1.0f})
    ASSERT_TRUE(crowd.add({.placement = {.position = {x, 0.0f, 0.0f}, .scale = 0.3f}}, 0));
  for (const bool far_first : {true, false}) {
    SCOPED_TRACE(far_first ? "far first" : "near first");
    OwnRenderer own(context());
    auto renderer = CharacterRenderer::create(context(), {.targets = OwnRenderer::targets()}).value();
    const ModelSettings far{.near = false};
    const ModelSettings near{.far = false};
    const ModelId first = renderer.add(character, far_first ? far : near).value();
    const ModelId second = renderer.add(character, far_first ? near : far).value();
    const ModelId near_model = far_first ? second : first;
    EXPECT_EQ(renderer.find(character), near_model);
    EXPECT_EQ(renderer.find_model(character.name()).value(), near_model);
    const auto updated = renderer.update(crowd);
    ASSERT_TRUE(updated) << updated.error().message;
    EXPECT_EQ(renderer.far_count(), 3u);
    const auto found = renderer.add_near(near_model);
    ASSERT_TRUE(found) << found.error().message;
    own.draw(renderer, 0);
    EXPECT_EQ(renderer.far_counts().in_picture, 3u);
    EXPECT_EQ(renderer.near_counts().in_picture, 1u);
  }
}

// Nothing far is drawn with it, and yet it has a call.
TEST_F(CrowdOnGpu, DrawsWhatIsOfAMaterialThatOnlyNearCharactersHave) {
  CharacterDraft draft = test::near_character(test::card()).draft();
  draft.materials.push_back(draft.materials[0]);
  NearMeshData data = draft.near_mesh->data();
  for (NearPiece& piece : data.pieces) piece.material = 1;
  draft.near_mesh = build_near_mesh(std::move(data), *draft.motion).value();
  const Character character = test::built(std::move(draft));
  OwnRenderer own(context());
  auto renderer = CharacterRenderer::create(context(), {.targets = OwnRenderer::targets()}).value();
  const ModelId model = renderer.add(character).value();
  ASSERT_TRUE(renderer.add_near(model));
  EXPECT_GT(lit_pixels(own.draw(renderer, 0)), 400u);
}

// Of a card: with a picture that has a hole, with a normal map, with both and with neither.
class DrawnOnEither : public CrowdOnGpu, public ::testing::WithParamInterface<std::tuple<bool, bool, AlphaMode>> {};

TEST_P(DrawnOnEither, LooksTheSameWithoutShadows) {
  const auto [base, normal, alpha] = GetParam();
  CharacterDraft draft = test::card_draft({.alpha_mode = alpha});
  Material& material = draft.materials[0];
  if (base) material.base_image = 0;
  if (normal) material.normal_image = 1;
  draft.images.push_back(test::png({{{255, 0, 0, 255}, {90, 255, 0, 255}, {200, 0, 255, 255}, {160, 0, 0, 0}}}));
  draft.images.push_back(
      test::png({{{40, 128, 220, 255}, {215, 128, 220, 255}, {128, 40, 220, 255}, {128, 128, 255, 255}}}));
  const std::vector<glm::vec4> tangents(4, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
  draft.tangents = tangents;
  const Character card = test::built(std::move(draft));
  OwnRenderer own(context());
  std::vector<std::vector<float>> pictures;
  for (const DrawnOn drawn_on : {DrawnOn::gpu, DrawnOn::software}) {
    CharacterRenderer crowd = make(card, {.targets = OwnRenderer::targets(), .drawn_on = drawn_on});
    ASSERT_TRUE(set(crowd, {test::standing(0), test::standing(0, {1.5f, 0.5f, -1.0f})}));
    pictures.push_back(own.draw(crowd, 0));
  }
  EXPECT_GT(lit_pixels(pictures[0]), 400u);
  EXPECT_EQ(pictures[0], pictures[1]);
}

INSTANTIATE_TEST_SUITE_P(Pictures, DrawnOnEither,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(AlphaMode::opaque, AlphaMode::mask)));

// Poses of one picture must not be written over while another is drawn from them: validation would say so.
TEST_F(CrowdOnGpu, PosesManyMomentsInOneCommandBuffer) {
  OwnRenderer own(context());
  RendererSettings settings{.targets = OwnRenderer::targets()};
  settings.targets.images_in_flight = 3;
  CharacterRenderer crowd = make(test::card_model({}, Encoding::local8), settings);
  test::Cast many;
  for (int i = 0; i < 300; ++i) many.add(test::standing(1));
  ASSERT_TRUE(set(crowd, many));
  EXPECT_EQ(own.draw(crowd, 0, 3), own.draw(crowd, 0, 1));
}

TEST_F(CrowdOnGpu, SeesAllSixtyFourBitsOfTime) {
  OwnRenderer own(context());
  CharacterRenderer crowd = make(test::card_model({}));
  test::TestCharacter rising = test::standing(1);
  rising.play.track.start = {0, 5};  // 5 · 2^32 ticks
  rising.play.track.rate = {0, 1u << 24};
  ASSERT_TRUE(set(crowd, {rising}));
  const std::uint64_t start = std::uint64_t{5} << 32;
  const auto before = own.draw(crowd, start);
  EXPECT_NE(own.draw(crowd, start + 128), before);
  EXPECT_EQ(own.draw(crowd, start - 1), before) << "not yet";
}

}  // namespace
}  // namespace throng
