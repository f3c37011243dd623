// SPDX-License-Identifier: Apache-2.0
// A clip at other rates, and what it does to morph targets.
#include "plans.h"

namespace throng {
using namespace detail::bake;
namespace {

TEST(ClipPlan, IsReplannedAtAnotherRateWithTheSameEnds) {
  const Model model = built(swaying_bar());
  const ClipPlan loop = planned(model).plans.at(0);
  const ClipPlan faster = replanned(loop, 60.0);
  EXPECT_TRUE(faster.frames.loops);
  EXPECT_EQ(faster.frames.frame_count, 60u);
  EXPECT_DOUBLE_EQ(faster.frames.length, loop.frames.length);
  EXPECT_EQ(faster.source, loop.source);

  const ClipPlan once = planned(model, {.once = {"sway"}}).plans.at(0);
  EXPECT_EQ(replanned(once, 15.0).frames.frame_count, 16u);
  EXPECT_DOUBLE_EQ(replanned(once, 15.0).frames.time_of(15), once.frames.length);

  const ClipPlan pose = planned(built(bar_draft())).plans.at(0);
  EXPECT_EQ(replanned(pose, 60.0).frames.frame_count, 1u);
}

// A day of motion in a few bytes: refused before any of it is sampled, with both numbers.
TEST(ClipPlan, ClipsThatLastForAgesAreRefused) {
  ModelDraft draft = swaying_bar();
  draft.clips[0].end = draft.clips[0].start + 1e5;
  const Planned ages = planned(built(draft));
  EXPECT_NE(
      ages.error.find("lasts 100000 s: at 30 frames a second that makes 3000000 frames in all, and at most 262144"),
      std::string::npos)
      << ages.error;
  EXPECT_EQ(planned(built(std::move(draft)), {.frame_rate = 2.5}).error, "");
}

// So long for so many bones takes gigabytes, unless there are keys to vouch for it.
TEST(ClipPlan, LongClipsOfManyBonesAreRefused) {
  ModelDraft draft = swaying_bar();
  for (int i = 0; i < 60; ++i) draft.bones.push_back({fmt::format("more {}", i), 0u, {}});
  draft.clips[0].end = draft.clips[0].start + 8000.0;
  const Planned ages = planned(built(draft));
  EXPECT_NE(ages.error.find("makes 240000 frames of"), std::string::npos) << ages.error;
  EXPECT_EQ(planned(built(draft), {.frame_rate = 2.5}).error, "");
  BoneTrack& keyed = draft.clips[0].bones[0];
  keyed.scale = {};
  for (int i = 0; i < 250000; ++i) {
    keyed.scale.times.push_back(static_cast<float>(i) / 40.0f);
    keyed.scale.values.emplace_back(1.0f);
  }
  EXPECT_EQ(planned(built(std::move(draft))).error, "");
}

TEST(ClipPlan, AnOpenLoopStaysOpenAndAsLongAtAnyRate) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(
      clip_of("clip", {turning(0, {0, 0, 1}, 12, 12.0, 0.0, [](double t) { return 0.6 * std::sin(2.0 * kPi * t); })}));
  const Model model = built(draft);
  const ClipPlan plan = planned(model).plans.at(0);
  ASSERT_TRUE(plan.facts.open());
  const ClipPlan slower = replanned(plan, 12.0);
  EXPECT_TRUE(slower.facts.open());
  EXPECT_EQ(slower.frames.frame_count, 12u);
  EXPECT_DOUBLE_EQ(slower.frames.length, plan.frames.length);
  // Every second key, every key, and one and two more between them.
  const std::vector<double> rates = candidate_rates(plan, 30.0, 40.0);
  ASSERT_EQ(rates.size(), 4u);
  EXPECT_NEAR(rates[0], 6.0, 1e-4);
  EXPECT_NEAR(rates[3], 36.0, 1e-4);
}

// 120 keys a second and 63 intervals: every third key is taken though every fourth would be nearer to 30.
TEST(ClipPlan, FramesStayOnKeys) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 64, 120.0, 0.0, [](double t) { return 1.5 * t; })}));
  const FramePlan frames = planned(built(draft)).plans.at(0).frames;
  ASSERT_EQ(frames.frame_count, 22u);
  for (std::uint32_t i = 0; i < 22; ++i) EXPECT_NEAR(frames.time_of(i), i / 40.0, 1e-5);
}

ModelDraft widening_bar() {
  ModelDraft draft = bar_draft();
  MorphTarget wide{"wide", {}, {}};
  for (const glm::vec3& p : draft.meshes[0].positions) wide.positions.push_back(p * glm::vec3(1.0f, 0.0f, 1.0f));
  draft.meshes[0].morph_targets = {wide};
  draft.meshes[0].morph_weights = {0.25f};
  MorphTrack track;
  for (int i = 0; i < 10; ++i) {
    track.weights.times.push_back(0.1f * static_cast<float>(i));
    track.weights.values.push_back(0.5f - 0.5f * static_cast<float>(std::cos(0.2 * kPi * i)));
  }
  Clip clip;
  clip.name = "widen";
  clip.end = static_cast<double>(track.weights.times.back());
  clip.morphs = {track};
  draft.clips = {clip};
  return draft;
}

TEST(ClipPlan, MorphTargetsMoveInBothModesAndRestWhereTheyAreDropped) {
  const Model model = built(widening_bar());
  for (const BakeMode mode : {BakeMode::vertices, BakeMode::bones}) {
    const ClipPlan plan = planned(model, {.mode = mode}).plans.at(0);
    EXPECT_NEAR(sample_planned(model, plan, 0.5).morph_weights[0][0], 1.0, 1e-6);
  }
  const ClipPlan dropped = planned(model, {.drop_morphs = true}).plans.at(0);
  EXPECT_NEAR(sample_planned(model, dropped, 0.5).morph_weights[0][0], 0.25, 1e-6);
}

TEST(ClipPlan, MorphTargetsComeBackOverAnOpenSeamToo) {
  const Model model = built(widening_bar());
  const ClipPlan plan = planned(model, {.mode = BakeMode::vertices}).plans.at(0);
  ASSERT_TRUE(plan.facts.open());
  const double last = 0.5 - 0.5 * std::cos(1.8 * kPi);
  EXPECT_NEAR(sample_planned(model, plan, 0.95).morph_weights[0][0], 0.5 * last, 1e-6);
  EXPECT_NEAR(sample_planned(model, plan, 1.0).morph_weights[0][0], 0.0, 1e-6);
}

}  // namespace
}  // namespace throng
