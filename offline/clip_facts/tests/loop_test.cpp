// SPDX-License-Identifier: Apache-2.0
// Which clips are taken for loops when they do not say so.
#include "bar_model.h"
#include "throng/clip_facts/decide.h"

namespace throng {
namespace {

std::vector<DecidedClip> decided(const Model& model, const ClipFactsSettings& settings = {}) {
  SerialExecutor executor;
  return decide_clip_facts(model, model.clips(), settings, executor).value();
}

ClipFacts guessed(const std::function<double(double)>& angle_at, int keys, double rate,
                  std::optional<bool> loops = {}) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, keys, rate, 0.0, angle_at)}, loops));
  return decided(built(draft)).at(0).facts;
}

double sway(double t) { return 0.6 * std::sin(2.0 * kPi * t); }

TEST(LoopGuess, AClipThatEndsAsItStartsLoops) {
  const ClipFacts facts = guessed(sway, 31, 30.0);
  EXPECT_TRUE(facts.loops);
  EXPECT_FALSE(facts.open());
  EXPECT_NEAR(facts.length, 1.0, 1e-6);
}

TEST(LoopGuess, ALoopWithoutItsClosingKeyIsOneKeyLonger) {
  const ClipFacts facts = guessed(sway, 24, 24.0);
  EXPECT_TRUE(facts.loops);
  EXPECT_TRUE(facts.open());
  EXPECT_NEAR(facts.length, 1.0, 1e-5);
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
  const ClipFacts told = guessed([](double t) { return 1.5 * t; }, 31, 30.0, true);
  EXPECT_TRUE(told.loops);
  EXPECT_NEAR(told.length, 31.0 / 30.0, 1e-5);
}

TEST(LoopGuess, TheSeamOfUnevenKeysIsAFrameLong) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, 2, 1.0, 0.0, sway)}, true));
  Curve<glm::quat>& rotation = draft.clips[0].bones[0].rotation;
  rotation.times = {0.0f, 0.1f, 0.123f, 1.0f};
  rotation.values.resize(4, rotation.values[0]);
  rotation.values[3] = glm::quat(glm::angleAxis(1.0, glm::dvec3(0, 0, 1)));
  const ClipFacts facts = decided(built(draft), {.frame_rate = 50.0}).at(0).facts;
  EXPECT_TRUE(facts.loops);
  EXPECT_NEAR(facts.seam, 0.02, 1e-9);
  EXPECT_NEAR(facts.length, 1.02, 1e-6);
}

// A skeleton that draws nothing: its bones and the tips of their axes, a fifth of the height away, are looked at.
TEST(LoopGuess, OfASkeletonAloneLooksAtItsBones) {
  const auto ends_at = [](double last) {
    ModelDraft draft = bar_draft();
    draft.meshes.clear();
    draft.bindings.clear();
    const auto angle = [=](double t) { return t < 0.9 ? t : last; };
    draft.clips.push_back(clip_of("clip", {turning(1, {0, 0, 1}, 3, 2.0, 0.0, angle)}));
    return decided(built(draft)).at(0).facts.loops;
  };
  EXPECT_TRUE(ends_at(0.0));
  EXPECT_FALSE(ends_at(0.5));
  EXPECT_TRUE(ends_at(0.0045)) << "within a thousandth of the height";
  EXPECT_FALSE(ends_at(0.0055));
}

TEST(ClipEvents, AreSortedAndLieWithinTheClip) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, 11, 10.0, 2.0, [](double t) { return t; })}, false));
  const Model model = built(draft);
  std::vector<Clip> clips = model.clips();
  clips[0].events = {{9.0, "late"}, {2.5, "b"}, {2.5, "a"}, {0.0, "early"}};
  SerialExecutor executor;
  const ClipFacts facts = decide_clip_facts(model, clips, {}, executor).value().at(0).facts;
  EXPECT_NEAR(facts.source_start, 2.0, 1e-9);
  EXPECT_EQ(facts.events, (std::vector<ClipEvent>{{0.0, "early"}, {0.5, "b"}, {0.5, "a"}, {facts.length, "late"}}));
}

}  // namespace
}  // namespace throng
