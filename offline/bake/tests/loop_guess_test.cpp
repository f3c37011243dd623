// Which clips are taken for loops when they do not say so.
#include "plans.h"

namespace throng {
using namespace detail::bake;
namespace {

ClipPlan guessed(const std::function<double(double)>& angle_at, int keys, double rate, std::optional<bool> loops = {}) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, keys, rate, 0.0, angle_at)}, loops));
  return planned(built(draft)).plans.at(0);
}

double sway(double t) { return 0.6 * std::sin(2.0 * kPi * t); }

TEST(LoopGuess, AClipThatEndsAsItStartsLoops) {
  const ClipPlan plan = guessed(sway, 31, 30.0);
  EXPECT_TRUE(plan.frames.loops);
  EXPECT_FALSE(plan.open);
  EXPECT_NEAR(plan.frames.length, 1.0, 1e-6);
  EXPECT_EQ(plan.frames.frame_count, 30u);
}

TEST(LoopGuess, ALoopWithoutItsClosingKeyIsOneKeyLonger) {
  const ClipPlan plan = guessed(sway, 24, 24.0);
  EXPECT_TRUE(plan.frames.loops);
  EXPECT_TRUE(plan.open);
  EXPECT_NEAR(plan.frames.length, 1.0, 1e-5);
  EXPECT_EQ(plan.frames.frame_count, 24u);
}

// Twelve keys a second are baked at 36: two frames lie on the way back, of which the source says nothing.
TEST(LoopGuess, FramesOnTheWayBackLieBetweenTheEnds) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, 12, 12.0, 0.0, sway)}));
  const Model model = built(draft);
  const ClipPlan plan = planned(model).plans.at(0);
  ASSERT_TRUE(plan.frames.loops);
  ASSERT_EQ(plan.frames.frame_count, 36u);
  const auto angle = [&](std::uint32_t frame) {
    const glm::dmat4 m = bones_at(model, plan, plan.source_time(frame, 0.0))[0];
    return std::atan2(m[0][1], m[0][0]);
  };
  const double last = sway(11.0 / 12.0);
  EXPECT_NEAR(angle(33), last, 1e-6);
  EXPECT_NEAR(angle(34), last * 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(angle(35), last / 3.0, 1e-6);
  EXPECT_NEAR(angle(36), 0.0, 1e-6);
}

TEST(LoopGuess, AFallDoesNotLoop) {
  EXPECT_FALSE(guessed([](double t) { return 1.5 * t; }, 31, 30.0).frames.loops);
  // Fast at first, at rest at the end.
  EXPECT_FALSE(guessed([](double t) { return 1.5 * (1.0 - (1.0 - t) * (1.0 - t)); }, 31, 30.0).frames.loops);
}

// A strike that settles near where it began, but not there, and stands still at both ends.
TEST(LoopGuess, AStrikeThatEndsBesideItsStartDoesNotLoop) {
  const auto strike = [](double t) { return std::sin(kPi * t) * std::sin(kPi * t) + 0.02 * t; };
  EXPECT_FALSE(guessed(strike, 31, 30.0).frames.loops);
}

// There and not back: the step over the seam is no longer than its neighbours, but leads the other way.
TEST(LoopGuess, AStepBackAgainstTheMotionDoesNotLoop) {
  const auto there = [](double t) { return 0.3 * std::sin(2.0 * kPi * t) + 0.06 * t; };
  EXPECT_FALSE(guessed(there, 31, 30.0).frames.loops);
}

TEST(LoopGuess, WhatTheSourceSaysIsBelieved) {
  EXPECT_FALSE(guessed(sway, 31, 30.0, false).frames.loops);
  const FramePlan told = guessed([](double t) { return 1.5 * t; }, 31, 30.0, true).frames;
  EXPECT_TRUE(told.loops);
  EXPECT_EQ(told.frame_count, 31u);  // the last pose is kept, and one interval leads back
  EXPECT_NEAR(told.length, 31.0 / 30.0, 1e-5);
}

TEST(LoopGuess, IsToldInTheNotesOnlyWhenItWasAGuess) {
  ModelDraft draft = swaying_bar();
  EXPECT_TRUE(planned(built(draft)).has_note("guessed to loop, since the last pose is the first: sway"));
  EXPECT_TRUE(planned(built(draft), {.loops = {"sway"}}).notes.empty());
  draft.clips[0].loops = true;
  EXPECT_TRUE(planned(built(draft)).notes.empty());
}

// A morph target that does not come back, on bones that do.
TEST(LoopGuess, LooksAtMorphTargetsWhereTheyAreBaked) {
  ModelDraft draft = swaying_bar();
  MorphTarget wide{"wide", {}, {}};
  for (const glm::vec3& p : draft.meshes[0].positions) wide.positions.push_back(p * glm::vec3(1.0f, 0.0f, 1.0f));
  draft.meshes[0].morph_targets = {wide};
  draft.meshes[0].morph_weights = {0.0f};
  MorphTrack track;
  track.weights.times = {0.0f, 1.0f};
  track.weights.values = {0.0f, 1.0f};
  draft.clips[0].morphs = {track};
  const Model model = built(draft);
  EXPECT_TRUE(planned(model).plans.at(0).frames.loops);
  EXPECT_FALSE(planned(model, {.mode = BakeMode::vertices}).plans.at(0).frames.loops);
}

}  // namespace
}  // namespace throng
