// SPDX-License-Identifier: Apache-2.0
// local8: which bones become links and slots, and that composing them gives the model's poses back.
#include "bones/chain_model.h"
#include "small_models.h"
#include "throng/character/file.h"

namespace throng {
namespace {

TEST(Local8, StoresOnlyWhatMoves) {
  const Character out = baked(built(chain()), {.encoding = Encoding::local8});
  ASSERT_EQ(out.skeleton().size(), 2u) << "hips and chest; root, spine and hand are folded";
  EXPECT_FALSE(out.skeleton()[0].parent.has_value());
  EXPECT_EQ(out.skeleton()[1].parent, 0u);
  EXPECT_EQ(rotation_slots(out), 2u);
  EXPECT_EQ(translation_slots(out), 1u) << "only the hips are moved";
  EXPECT_TRUE(out.skeleton()[0].translation_slot.has_value());
  EXPECT_EQ(out.atlas().words.size(), 30u * 3u * 2u);
}

TEST(Local8, ComposesToTheModelsOwnPoses) {
  const Model model = built(chain());
  const Character out = baked(model, {.encoding = Encoding::local8});
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 3e-4) << frame;
  EXPECT_TRUE(encode_character(out).has_value());
}

// Between frames each bone turns about its own joint, as the source does; bones on their own cut the corner.
TEST(Local8, FollowsTheSourceBetweenFramesFarBetterThanBonesOnTheirOwn) {
  const Model model = built(chain(10));
  const Character local = baked(model, {.encoding = Encoding::local8, .frame_rate = 10.0});
  const Character global = baked(model, {.encoding = Encoding::q16, .frame_rate = 10.0});
  EXPECT_EQ(local.clips()[0].frame_count, 10u);
  EXPECT_LT(10.0 * local.error().between.max_mm, global.error().between.max_mm);
}

TEST(Local8, TakesTheRootsWayOffItsFirstLinks) {
  ModelDraft draft = chain();
  for (std::size_t i = 0; i <= 30; ++i) {
    draft.clips[0].bones[0].translation.values[i] += glm::vec3(0.0f, 0.0f, 0.1f * static_cast<float>(i));
  }
  draft.clips[0].loops = false;
  const Character out =
      baked(built(draft), {.encoding = Encoding::local8, .root_motion = RootTreatment::extract, .root_bone = "hips"});
  ASSERT_EQ(out.clips()[0].root_motion.size(), 31u);
  EXPECT_GT(glm::length(out.clips()[0].root_motion[30].translation), 3.0);
  EXPECT_LT(out.clips()[0].bounds.size().z, 3.0) << "it stays where it is";
  EXPECT_LT(out.error().at_frames.max_mm, 0.5);
}

TEST(Local8, ScaleIsStoredWithTheTranslation) {
  ModelDraft draft = chain();
  BoneTrack& chest = draft.clips[0].bones[1];
  for (int i = 0; i <= 30; ++i) {
    chest.scale.times.push_back(static_cast<float>(i) / 30.0f);
    chest.scale.values.emplace_back(static_cast<float>(1.0 + 0.2 * std::sin(0.2 * kPi * i)));
  }
  const Model model = built(draft);
  const Character out = baked(model, {.encoding = Encoding::local8});
  EXPECT_EQ(translation_slots(out), 2u);
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 4e-4) << frame;
}

// A bone squashed against its parent and stretched back by the next: each column is a rotation, its chain is not.
TEST(Local8, ChainsThatSquashAreRefusedByName) {
  ModelDraft draft = bar_draft();
  BoneTrack lower;
  BoneTrack upper;
  upper.bone = 1;
  for (int i = 0; i <= 4; ++i) {
    const float s = 1.0f + 0.1f * static_cast<float>(i);
    lower.scale.times.push_back(static_cast<float>(i) / 30.0f);
    lower.scale.values.emplace_back(1.0f, s, 1.0f);
    upper.scale.times.push_back(static_cast<float>(i) / 30.0f);
    upper.scale.values.emplace_back(1.0f, 1.0f / s, 1.0f);
  }
  for (Influences& influences : draft.meshes[0].influences) {
    influences.bindings = {1, 0, 0, 0};
    influences.weights = {1.0f, 0.0f, 0.0f, 0.0f};
  }
  draft.clips.push_back(clip_of("squash", {lower, upper}));
  const Model model = built(draft);
  EXPECT_EQ(baked(model).clips()[0].encoding, Encoding::q16);
  const std::string message = refusal(model, {.encoding = Encoding::local8});
  EXPECT_NE(message.find("'squash', bone 'lower'"), std::string::npos) << message;
  EXPECT_NE(message.find("scales non-uniformly"), std::string::npos) << message;
  EXPECT_NE(message.find("bake it as q16"), std::string::npos) << message;
}

TEST(Local8, AModelThatNeverMovesHasOneSlot) {
  const Model model = built(bar_draft());
  const Character out = baked(model, {.encoding = Encoding::local8});
  EXPECT_EQ(item_count(out, Encoding::local8), 1u);
  EXPECT_LT(out.error().at_frames.max_mm, 1e-3);
  EXPECT_TRUE(encode_character(out).has_value());
}

}  // namespace
}  // namespace throng
