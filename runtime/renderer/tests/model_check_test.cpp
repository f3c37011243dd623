// SPDX-License-Identifier: Apache-2.0
#include "far/model_check.h"
#include "throng/plan/clip_boxes.h"

#include <gtest/gtest.h>

#include "test_models.h"
#include "throng/playback/pack_rotation.h"

namespace throng {
namespace {

using namespace detail::renderer;

VkPhysicalDeviceLimits small_limits() {
  VkPhysicalDeviceLimits limits{};
  limits.maxImageDimension2D = 64;
  limits.maxImageArrayLayers = 2;
  limits.maxStorageBufferRange = 64 * 1024;
  limits.maxDrawIndexedIndexValue = 11;
  return limits;
}

TEST(ModelCheck, AcceptsAWholeModelThatFits) {
  const auto checked = check_model(test::random_model({}), small_limits());
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST(ModelCheck, RefusesMoreVerticesThanTheDeviceCanIndex) {
  VkPhysicalDeviceLimits limits = small_limits();
  limits.maxDrawIndexedIndexValue = 10;
  const auto checked = check_model(test::random_model({}), limits);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "a triangle uses vertex 11 but this device draws vertices up to 10; split the model");
}

TEST(ModelCheck, RefusesAnAnimationTextureLargerThanTheDeviceTakes) {
  const auto message = [](const Layout& layout, std::uint32_t layers) {
    const auto checked = check_model(test::random_model({.layout = layout, .layers = layers}), small_limits());
    return checked ? std::string("none") : checked.error().message;
  };
  EXPECT_EQ(message({64, 4}, 2), "none");
  EXPECT_EQ(message({65, 4}, 1).find("the animation texture is 65 × "), 0u) << message({65, 4}, 1);
  EXPECT_NE(message({4, 4}, 3).find("has 3 layers but this device takes 2"), std::string::npos) << message({4, 4}, 3);
}

TEST(ModelCheck, AcceptsEveryEncodingAndRefusesTablesLargerThanTheDeviceBinds) {
  for (const Encoding encoding : kEncodings) {
    test::ModelShape shape{.layout = {16, 2}, .encodings = {encoding}};
    const Character model = test::random_model(shape);
    const auto checked = check_model(model, small_limits());
    EXPECT_TRUE(checked) << name_of(encoding) << ": " << checked.error().message;
  }
  VkPhysicalDeviceLimits limits = small_limits();
  limits.maxStorageBufferRange = 12 * sizeof(BakedVertex);
  CharacterDraft model = test::random_draft({});
  const std::vector<glm::vec4> table(100);
  model.table = table;
  EXPECT_EQ(check_model(test::built(std::move(model)), limits).error().message,
            "its pivots and boxes take 1600 bytes but this device binds 624 at most");
}

std::string message_for(const test::TestCharacter& character, std::size_t clip_count = 2) {
  const auto checked = check_character(character.instance, character.play, 7, clip_count);
  return checked ? std::string("none") : checked.error().message;
}

TEST(ModelCheck, RefusesCharactersThatCannotBeDrawn) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message_for(test::standing(1)), "none");
  EXPECT_EQ(message_for(test::standing(2)), "instance 7 plays clip 2 of 2");
  EXPECT_NE(message_for(test::standing(0, {0.0f, kNan, 0.0f})).find("finite"), std::string::npos);
  for (const float scale : {0.0f, kNan, std::numeric_limits<float>::infinity()}) {
    test::TestCharacter scaled = test::standing(0);
    scaled.instance.scale = scale;
    EXPECT_EQ(
        message_for(scaled),
        fmt::format("instance 7 has scale {}; a scale is a finite number above 0, or below it for one that is hidden",
                    scale));
  }
}

TEST(ModelCheck, RefusesTracksThatContradictEachOther) {
  test::TestCharacter character = test::standing(0);
  character.play.track.clip = 1;
  EXPECT_EQ(message_for(character), "instance 7 is culled by clip 0 but plays clip 1; set both");
  character = test::standing(0);
  character.play.track.wrap = 3;
  EXPECT_EQ(message_for(character), "instance 7 plays in mode 3; there are 0, 1 and 2");
  character = test::standing(0);
  character.play.previous.clip = 9;
  EXPECT_EQ(message_for(character), "none") << "nothing fades, so it means nothing";
  character.play.fade_ticks = 1;
  EXPECT_EQ(message_for(character), "instance 7 plays clip 9 of 2");
  character = test::standing(0);
  character.instance.clips = 0u | 9u << 16;
  EXPECT_EQ(message_for(character), "instance 7 fades out clip 9 of 2");
}

TEST(CrowdBounds, HoldTurnedAndScaledBoxesOfTheClipEachPlays) {
  Bounds small, tall;
  small.add({-1, 0, -1});
  small.add({1, 2, 1});
  tall.add({-1, 0, -3});
  tall.add({1, 9, 3});
  const std::array clips{ClipBox{small, 0.0}, ClipBox{tall, 0.5}};
  InstanceRecord turned = test::standing(1, {10, 0, 0}).instance;
  turned.rotation = pack_rotation({std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0});  // a quarter turn about +Y
  turned.scale = 2.0f;
  const Bounds all = bounds_of(std::array{test::standing(0).instance, turned}, clips);
  EXPECT_NEAR(all.min.x, -1.0, 1e-5);
  EXPECT_NEAR(all.max.x, 16.0, 1e-4);
  EXPECT_NEAR(all.max.y, 18.0, 1e-5);
  EXPECT_NEAR(all.max.z, 2.0, 1e-5);
  EXPECT_TRUE(bounds_of({}, clips).empty());
}

// What a fade may lead out of both boxes is in it.
TEST(CrowdBounds, HoldWhatAFadeReaches) {
  const std::array clips{ClipBox{{{-1, 0, -1}, {1, 2, 1}}, 0.25}, ClipBox{{{0, 0, -3}, {1, 9, 3}}, 0.5}};
  InstanceRecord fading = test::standing(1, {10, 0, 0}).instance;
  fading.clips = 1u | 0u << 16;
  fading.scale = 2.0f;
  const Bounds all = bounds_of(std::span(&fading, 1), clips);
  EXPECT_NEAR(all.min.x, 7.0, 1e-5);
  EXPECT_NEAR(all.max.x, 13.0, 1e-5);
  EXPECT_NEAR(all.max.y, 19.0, 1e-5);
}

}  // namespace
}  // namespace throng
