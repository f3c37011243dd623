// Which clips are taken for loops when they do not say so.
#include "small_models.h"

namespace throng {
namespace {

BakedClip guessed(const std::function<double(double)>& angle_at, int keys, double rate,
                  std::optional<bool> loops = {}) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, keys, rate, 0.0, angle_at)}, loops));
  return baked(built(draft)).clips[0];
}

double sway(double t) { return 0.6 * std::sin(2.0 * kPi * t); }

TEST(LoopGuess, AClipThatEndsAsItStartsLoops) {
  const BakedClip clip = guessed(sway, 31, 30.0);
  EXPECT_TRUE(clip.loops);
  EXPECT_NEAR(clip.length, 1.0, 1e-6);
  EXPECT_EQ(clip.frame_count, 30u);
}

TEST(LoopGuess, ALoopWithoutItsClosingKeyIsOneKeyLonger) {
  const BakedClip clip = guessed(sway, 24, 24.0);
  EXPECT_TRUE(clip.loops);
  EXPECT_NEAR(clip.length, 1.0, 1e-5);
  EXPECT_EQ(clip.frame_count, 24u);
}

// Twelve keys a second are baked at 36: two frames lie on the way back, of which the source says nothing.
TEST(LoopGuess, FramesOnTheWayBackLieBetweenTheEnds) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, 12, 12.0, 0.0, sway)}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
  const BakedClip& clip = out.clips[0];
  ASSERT_TRUE(clip.loops);
  ASSERT_EQ(clip.frame_count, 36u);
  const auto angle = [&](std::uint32_t frame) {
    const glm::dquat q = decode_q16(out.atlas.at(0, frame, 0), clip.range).rotation;
    return 2.0 * std::atan2(q.z, q.w);
  };
  const double last = sway(11.0 / 12.0);
  EXPECT_NEAR(angle(33), last, 1e-3);
  EXPECT_NEAR(angle(34), last * 2.0 / 3.0, 1e-3);
  EXPECT_NEAR(angle(35), last / 3.0, 1e-3);
  EXPECT_LT(out.error.at_frames.max_mm, 0.2);
}

TEST(LoopGuess, AFallDoesNotLoop) {
  EXPECT_FALSE(guessed([](double t) { return 1.5 * t; }, 31, 30.0).loops);
  // Fast at first, at rest at the end.
  EXPECT_FALSE(guessed([](double t) { return 1.5 * (1.0 - (1.0 - t) * (1.0 - t)); }, 31, 30.0).loops);
}

// A strike that settles near where it began, but not there, and stands still at both ends.
TEST(LoopGuess, AStrikeThatEndsBesideItsStartDoesNotLoop) {
  const auto strike = [](double t) { return std::sin(kPi * t) * std::sin(kPi * t) + 0.02 * t; };
  EXPECT_FALSE(guessed(strike, 31, 30.0).loops);
}

// There and not back: the step over the seam is no longer than its neighbours, but leads the other way.
TEST(LoopGuess, AStepBackAgainstTheMotionDoesNotLoop) {
  const auto there = [](double t) { return 0.3 * std::sin(2.0 * kPi * t) + 0.06 * t; };
  EXPECT_FALSE(guessed(there, 31, 30.0).loops);
}

TEST(LoopGuess, WhatTheSourceSaysIsBelieved) {
  EXPECT_FALSE(guessed(sway, 31, 30.0, false).loops);
  const BakedClip told = guessed([](double t) { return 1.5 * t; }, 31, 30.0, true);
  EXPECT_TRUE(told.loops);
  EXPECT_EQ(told.frame_count, 31u);  // the last pose is kept, and one interval leads back
  EXPECT_NEAR(told.length, 31.0 / 30.0, 1e-5);
}

TEST(LoopGuess, IsToldInTheNotesOnlyWhenItWasAGuess) {
  ModelDraft draft = swaying_bar();
  EXPECT_NE(baked(built(draft)).notes.at(0).find("guessed to loop"), std::string::npos);
  draft.clips[0].loops = true;
  EXPECT_TRUE(baked(built(draft)).notes.empty());
}

}  // namespace
}  // namespace throng
