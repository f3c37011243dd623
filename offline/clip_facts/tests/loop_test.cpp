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

struct Named {
  std::string name;
  std::function<double(double)> angle_at;
};

DecidedClip guessed_by_name(const Named& clip, int keys = 31) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of(clip.name, {turning(0, {0, 0, 1}, keys, 30.0, 0.0, clip.angle_at)}));
  return decided(built(draft)).at(0);
}

double strike(double t) { return std::sin(kPi * t) * std::sin(kPi * t); }

TEST(LoopGuess, ANameDecidesWherePosesDoNot) {
  const auto ends_beside = [](double t) { return strike(t) + 0.3 * t; };
  const DecidedClip walk = guessed_by_name({"Walk", ends_beside});
  EXPECT_TRUE(walk.facts.loops);
  EXPECT_TRUE(walk.facts.open());
  EXPECT_EQ(walk.doubt, LoopDoubt::poses_differ);
  const DecidedClip clip = guessed_by_name({"clip", ends_beside});
  EXPECT_FALSE(clip.facts.loops);
  EXPECT_EQ(clip.doubt, LoopDoubt::none);
}

// A strike comes back to where it began, and is no loop for that; one that swings through its seam is doubtful.
TEST(LoopGuess, WhatIsNamedLikeAStrikePlaysOnce) {
  const DecidedClip attack = guessed_by_name({"Attack", strike});
  EXPECT_FALSE(attack.facts.loops);
  EXPECT_EQ(attack.doubt, LoopDoubt::none);
  const DecidedClip swinging = guessed_by_name({"Attack", sway});
  EXPECT_FALSE(swinging.facts.loops);
  EXPECT_EQ(swinging.doubt, LoopDoubt::poses_loop);
  const DecidedClip open = guessed_by_name({"Attack", [](double t) { return sway(t * 30.0 / 31.0); }});
  EXPECT_FALSE(open.facts.loops);
  EXPECT_EQ(open.doubt, LoopDoubt::poses_loop);
}

TEST(LoopGuess, ALoopThatNearlyClosesIsClosedOverItsLastStep) {
  const DecidedClip walk = guessed_by_name({"Walk", [](double t) { return sway(t) + 0.004 * t; }});
  EXPECT_TRUE(walk.facts.loops);
  EXPECT_FALSE(walk.facts.open());
  EXPECT_EQ(walk.doubt, LoopDoubt::none);
  ASSERT_TRUE(walk.closed.has_value());
  const Curve<glm::quat>& rotation = walk.closed->bones[0].rotation;
  EXPECT_EQ(rotation.values.front(), rotation.values.back());
  ModelDraft draft = bar_draft();
  const Clip original =
      clip_of("Walk", {turning(0, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return sway(t) + 0.004 * t; })});
  ASSERT_EQ(rotation.values.size(), original.bones[0].rotation.values.size());
  for (std::size_t i = 0; i + 1 < rotation.values.size(); ++i) {
    EXPECT_EQ(rotation.values[i], original.bones[0].rotation.values[i]) << i;
  }
  EXPECT_FALSE(guessed_by_name({"Walk", sway}).closed.has_value());
}

// What closes is the pose: a root that came back with it would jump to where it began.
TEST(LoopGuess, TheRootOfALoopThatIsClosedGoesWhereItWent) {
  ModelDraft draft = bar_draft();
  const BoneTrack root = moving(0, 31, 30.0, 0.0, [](double t) { return glm::dvec3(0.0, 0.0, 1.5 * t); });
  draft.clips.push_back(
      clip_of("Walk", {root, turning(1, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return sway(t) + 0.004 * t; })}));
  const DecidedClip walk = decided(built(draft)).at(0);
  ASSERT_EQ(walk.facts.root_bone, 0u);
  ASSERT_TRUE(walk.closed.has_value());
  EXPECT_EQ(walk.closed->bones[1].rotation.values.back(), walk.closed->bones[1].rotation.values.front());
  EXPECT_EQ(walk.closed->bones[0].translation.values, root.translation.values);
  EXPECT_NEAR(walk.facts.root_path.back().translation.z, 1.5, 1e-6);
}

// A track whose keys end early is held, and only moves in the last step.
TEST(LoopGuess, AClosedTrackWithoutKeysAtTheEndIsHeldUntilTheLastStep) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("Idle", {turning(0, {0, 0, 1}, 31, 30.0, 0.0, sway)}));
  BoneTrack short_track;
  short_track.bone = 1;
  short_track.translation.times = {0.0f, 0.5f};
  short_track.translation.values = {glm::vec3(0, 1, 0), glm::vec3(0, 1.003f, 0)};
  draft.clips[0].bones.push_back(short_track);
  const DecidedClip idle = decided(built(draft)).at(0);
  ASSERT_TRUE(idle.closed.has_value());
  const Curve<glm::vec3>& moved = idle.closed->bones[1].translation;
  ASSERT_EQ(moved.times.size(), 4u);
  EXPECT_NEAR(moved.times[2], 1.0 - 1.0 / 30.0, 1e-5);
  EXPECT_EQ(moved.values[2], moved.values[1]);
  EXPECT_NEAR(moved.times[3], 1.0, 1e-6);
  EXPECT_EQ(moved.values[3], moved.values[0]);
}

// The last step of a clip that is one step long is its second half: the first is played as it was.
TEST(LoopGuess, AClosedTrackOfAClipOfOneStepIsHeldUntilItsMiddle) {
  constexpr float kStep = 1.0f / 30.0f;
  BoneTrack whole{.bone = 0, .translation = {}, .rotation = {}, .scale = {}};
  whole.translation.times = {0.0f, kStep};
  whole.translation.values = {glm::vec3(0.0f), glm::vec3(0.0f, 0.003f, 0.0f)};
  BoneTrack early{.bone = 1, .translation = {}, .rotation = {}, .scale = {}};
  early.translation.times = {0.0f, 0.2718f * kStep};  // on no even grid
  early.translation.values = {glm::vec3(0, 1, 0), glm::vec3(0, 1.003f, 0)};
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {whole, early}, true));
  const DecidedClip decision = decided(built(draft)).at(0);
  ASSERT_TRUE(decision.closed.has_value());
  const Curve<glm::vec3>& moved = decision.closed->bones[1].translation;
  ASSERT_EQ(moved.times.size(), 4u);
  EXPECT_NEAR(moved.times[2], 0.5f * kStep, 1e-6f);
  EXPECT_EQ(moved.values[2], moved.values[1]);
  EXPECT_NEAR(moved.times[3], kStep, 1e-6f);
  EXPECT_EQ(moved.values[3], moved.values[0]);
}

// The upper half goes up and down, a key every thirtieth of a second, in heights of the model.
DecidedClip guessed_of(const std::string& name, const std::vector<double>& heights, std::optional<bool> loops = {}) {
  constexpr double kHeight = 2.0;
  BoneTrack track;
  track.bone = 1;
  for (std::size_t key = 0; key < heights.size(); ++key) {
    track.translation.times.push_back(static_cast<float>(key) / 30.0f);
    track.translation.values.emplace_back(0.0f, static_cast<float>(1.0 + kHeight * heights[key]), 0.0f);
  }
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of(name, {track}, loops));
  return decided(built(draft)).at(0);
}

// Up by one step at its start and by another at its end, and by a third from its end to its start.
bool goes_on_over(double before, double over, double after) {
  return guessed_of("clip", {0.0, after, 0.3, 0.2, -over - before, -over}).facts.loops;
}

TEST(LoopGuess, AStepOverTheSeamIsAboutAsLongAsItsNeighbours) {
  EXPECT_TRUE(goes_on_over(0.05, 0.05, 0.05));
  EXPECT_TRUE(goes_on_over(0.05, 1.45 * 0.05, 0.05)) << "up to half as long again";
  EXPECT_FALSE(goes_on_over(0.05, 1.55 * 0.05, 0.05));
  EXPECT_TRUE(goes_on_over(0.05, 0.45 * 0.05, 0.05)) << "down to two fifths";
  EXPECT_FALSE(goes_on_over(0.05, 0.35 * 0.05, 0.05));
}

TEST(LoopGuess, ALoopMovesOnBothSidesOfItsSeam) {
  for (const auto& [slow, loops] : {std::pair{0.0011, true}, {0.0009, false}}) {
    EXPECT_EQ(goes_on_over(0.01, 0.5 * (0.01 + slow), slow), loops) << slow << " of the height, behind";
    EXPECT_EQ(goes_on_over(slow, 0.5 * (0.01 + slow), 0.01), loops) << slow << " of the height, before";
  }
}

TEST(LoopGuess, ThreeStepsAreTooFewToTellALoopFrom) {
  EXPECT_TRUE(guessed_of("clip", {0.0, 0.05, 0.0, -0.1, -0.05}).facts.loops);
  EXPECT_FALSE(guessed_of("clip", {0.0, 0.05, -0.1, -0.05}).facts.loops);
}

// A hundredth of the height where a name or the file says so, a thousandth where nothing does.
TEST(LoopGuess, HowNearAnEndIsToTheStartDependsOnWhatIsSaid) {
  const auto ends_at = [](const std::string& name, double gap, std::optional<bool> loops = {}) {
    return guessed_of(name, {0.0, 0.0, 0.05, 0.1, 0.05, 0.0, gap}, loops);
  };
  EXPECT_FALSE(ends_at("Walk", 0.0095).facts.open());
  EXPECT_EQ(ends_at("Walk", 0.0095).doubt, LoopDoubt::none);
  EXPECT_TRUE(ends_at("Walk", 0.0105).facts.open());
  EXPECT_EQ(ends_at("Walk", 0.0105).doubt, LoopDoubt::poses_differ);
  EXPECT_FALSE(ends_at("clip", 0.0095, true).facts.open());
  EXPECT_TRUE(ends_at("clip", 0.0105, true).facts.open());
  EXPECT_TRUE(ends_at("clip", 0.00095).facts.loops);
  EXPECT_FALSE(ends_at("clip", 0.00105).facts.loops);
}

TEST(LoopGuess, AWalkThatLeadsAwayIsToldApart) {
  ModelDraft draft = bar_draft();
  BoneTrack root;
  root.bone = 0;
  for (int key = 0; key <= 30; ++key) {
    root.translation.times.push_back(static_cast<float>(key) / 30.0f);
    root.translation.values.emplace_back(0.0f, 0.0f, 0.05f * static_cast<float>(key));
  }
  draft.clips.push_back(clip_of("Walk", {turning(1, {0, 0, 1}, 31, 30.0, 0.0, sway), root}));
  const Model model = built(draft);
  const DecidedClip kept = decided(model, {.root_motion_taken_off = false}).at(0);
  EXPECT_TRUE(kept.facts.loops);
  EXPECT_EQ(kept.doubt, LoopDoubt::travels);
  const DecidedClip taken_off = decided(model).at(0);
  EXPECT_TRUE(taken_off.facts.loops);
  EXPECT_EQ(taken_off.doubt, LoopDoubt::none);
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
