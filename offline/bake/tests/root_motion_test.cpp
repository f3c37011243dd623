// SPDX-License-Identifier: Apache-2.0
// What is taken off of a character's way over the ground, and that it gives the character back.
#include "plans.h"

namespace throng {
using namespace detail::bake;
namespace {

BakeSettings extracting() {
  BakeSettings settings;
  settings.root_motion = RootTreatment::extract;
  return settings;
}

// What a walker's root does: where it is, how far it has turned, how far it leans forward.
struct Walk {
  std::function<glm::dvec3(double)> place = [](double) { return glm::dvec3(0.0); };
  std::function<double(double)> yaw = [](double) { return 0.0; };
  std::function<double(double)> lean = [](double) { return 0.0; };
};

Clip walking(const std::string& name, const Walk& walk, int keys, double rate) {
  BoneTrack root = moving(0, keys, rate, 0.25, walk.place);
  for (int i = 0; i < keys; ++i) {
    const double t = i / rate;
    const glm::dquat yaw = glm::angleAxis(walk.yaw(t), glm::dvec3(0, 1, 0));
    const glm::dquat lean = glm::angleAxis(walk.lean(t), glm::dvec3(1, 0, 0));
    root.rotation.times.push_back(root.translation.times[static_cast<std::size_t>(i)]);
    root.rotation.values.emplace_back(yaw * lean);
  }
  const auto swing = [](double t) { return 0.5 * std::sin(2.0 * kPi * t); };
  return clip_of(name, {root, turning(1, {0, 0, 1}, keys, rate, 0.25, swing)});
}

Model walker(const Walk& walk, int keys = 31, double rate = 30.0) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(walking("path", walk, keys, rate));
  return built(draft);
}

// Round a corner, bobbing and leaning, from a place that is not the origin.
Walk round_a_corner() {
  return {.place = [](double t) { return glm::dvec3(3.0 + std::sin(2.0 * t), 0.2 * std::sin(9.0 * t), 2.0 * t); },
          .yaw = [](double t) { return 0.4 + 1.7 * t; },
          .lean = [](double t) { return 0.3 * std::sin(5.0 * t); }};
}

double worst_mismatch(const Model& model, const ClipPlan& plan) {
  const std::vector<GroundMotion> ground = root_samples(model, plan);
  double worst = 0.0;
  for (std::uint32_t frame = 0; frame < ground.size(); ++frame) {
    const double time = plan.source_time(frame, 0.0);
    const auto source = vertices_in(model, sample(model, plan.clip, time));
    const auto stripped = vertices_in(model, sample_planned(model, plan, time));
    for (std::size_t v = 0; v < source.size(); ++v) {
      const glm::dvec3 again(to_matrix(ground[frame]) * glm::dvec4(stripped[v], 1.0));
      worst = std::max(worst, glm::distance(again, source[v]));
    }
  }
  return worst;
}

TEST(RootMotion, GroundAndPoseTogetherAreTheSource) {
  const Model model = walker(round_a_corner());
  const ClipPlan plan = planned(model, extracting()).plans.at(0);
  ASSERT_EQ(root_samples(model, plan).size(), 31u);
  EXPECT_LT(worst_mismatch(model, plan), 1e-9);
  EXPECT_LT(worst_mismatch(model, replanned(plan, 47.0)), 1e-9) << "at frames that are no keys";
}

TEST(RootMotion, ThePoseStaysWhereTheClipBegan) {
  const Model model = walker(round_a_corner());
  const ClipPlan plan = planned(model, extracting()).plans.at(0);
  const glm::dmat4 first = bones_at(model, plan, plan.clip.start)[0];
  EXPECT_NEAR(first[3].x, 3.0, 1e-6) << "the first frame is as it was";
  for (std::uint32_t frame = 0; frame < plan.frames.frame_count; ++frame) {
    const double time = plan.source_time(frame, 0.3);
    const glm::dmat4 root = bones_at(model, plan, time)[0];
    EXPECT_NEAR(root[3].x, first[3].x, 1e-9);
    EXPECT_NEAR(root[3].z, first[3].z, 1e-9);
    const glm::dmat4 source = model_from_bones(model, sample(model, plan.clip, time))[0];
    EXPECT_NEAR(root[3].y, source[3].y, 1e-9) << "height stays in the pose";
    EXPECT_NEAR(root[1].y, source[1].y, 1e-9) << "so does leaning";
  }
}

TEST(RootMotion, TheWayIsCountedFromTheFirstFrame) {
  const Model model = walker(round_a_corner());
  const auto way = root_samples(model, planned(model, extracting()).plans.at(0));
  EXPECT_EQ(way[0].yaw, 0.0);
  EXPECT_LT(glm::length(way[0].translation), 1e-12);
  EXPECT_NEAR(way[30].yaw, 1.7, 2e-3) << "lean and turn do not commute, but nearly";
  for (const GroundMotion& sample : way) EXPECT_EQ(sample.translation.y, 0.0);
}

TEST(RootMotion, StrippedIsTakenOffAndForgotten) {
  const Model model = walker(round_a_corner());
  BakeSettings settings = extracting();
  const ClipPlan extracted = planned(model, settings).plans.at(0);
  settings.root_motion = RootTreatment::strip;
  const ClipPlan stripped = planned(model, settings).plans.at(0);
  EXPECT_TRUE(root_samples(model, stripped).empty());
  EXPECT_EQ(palette_at(model, stripped, 0.9), palette_at(model, extracted, 0.9));
  const ClipPlan kept = planned(model).plans.at(0);
  EXPECT_TRUE(root_samples(model, kept).empty());
  EXPECT_EQ(palette_at(model, kept, 0.9), skinning_palette(model, sample(model, model.clips()[0], 0.9)));
}

// Five turns in a second; then so fast that a frame sees more than half a turn.
TEST(RootMotion, YawRunsOnPastHalfATurn) {
  const double turn = 2.0 * kPi;
  const Model model = walker({.yaw = [turn](double t) { return -5.0 * turn * t; }}, 121, 120.0);
  const ClipPlan plan = planned(model, extracting()).plans.at(0);
  const auto way = root_samples(model, plan);
  for (std::size_t i = 1; i < way.size(); ++i) EXPECT_NEAR(way[i].yaw - way[i - 1].yaw, -5.0 * turn / 30.0, 1e-4);
  EXPECT_NEAR(way.back().yaw, -5.0 * turn, 1e-3);
  EXPECT_NEAR(root_samples(model, replanned(plan, 8.0)).back().yaw, -5.0 * turn, 1e-3);
}

// An armature from a tool whose up is Z, in centimetres: the bone's axes are never level, and its forward is straight
// up.
TEST(RootMotion, TheBonesOwnAxesDoNotMatter) {
  ModelDraft draft = bar_draft();
  draft.bones.insert(draft.bones.begin(), Bone{"armature", std::nullopt, {}});
  draft.bones[0].rest.rotation = glm::angleAxis(-0.5 * kPi, glm::dvec3(1, 0, 0));
  draft.bones[0].rest.scale = glm::dvec3(0.01);
  draft.bones[1].parent = 0;
  draft.bones[2].parent = 1;
  const glm::dmat4 armature = to_matrix(draft.bones[0].rest);
  draft.bindings[0] = {1, glm::inverse(armature)};
  draft.bones[2].rest.translation = {0.0, 0.0, 100.0};
  draft.bindings[1] = {2, glm::inverse(armature * to_matrix(draft.bones[2].rest))};
  BoneTrack hips = moving(1, 31, 30.0, 0.0, [](double t) { return glm::dvec3(0.0, -150.0 * t, 0.0); });
  BoneTrack turned = turning(1, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return 1.2 * t; });
  hips.rotation = turned.rotation;
  draft.clips.push_back(clip_of("path", {hips}));
  const Model model = built(draft);
  const Planned out = planned(model, extracting());
  EXPECT_TRUE(out.has_note("root motion extracted from bone 'lower'")) << "the armature does not move";
  const auto way = root_samples(model, out.plans.at(0));
  EXPECT_NEAR(way.back().yaw, 1.2, 1e-5);
  EXPECT_NEAR(way.back().translation.z, 1.5, 1e-5);
  EXPECT_NEAR(way.back().translation.x, 0.0, 1e-5);
  EXPECT_LT(worst_mismatch(model, out.plans[0]), 1e-9);
}

TEST(RootMotion, AFallOnTheFaceIsNoTurn) {
  const Model model = walker(
      {.place = [](double t) { return glm::dvec3(t, 0.0, 0.0); }, .lean = [](double t) { return 0.95 * kPi * t; }});
  for (const GroundMotion& sample : root_samples(model, planned(model, extracting()).plans.at(0))) {
    EXPECT_NEAR(sample.yaw, 0.0, 1e-6);
  }
}

Walk straight_on() {
  return {.place = [](double t) { return glm::dvec3(0.0, 0.05 * std::sin(2.0 * kPi * t), 1.4 * t); }};
}

TEST(RootMotion, AWalkLoopsOnceItsWayIsTakenOff) {
  const Model model = walker(straight_on());
  EXPECT_FALSE(planned(model).plans.at(0).frames.loops);
  const ClipPlan plan = planned(model, extracting()).plans.at(0);
  ASSERT_TRUE(plan.frames.loops);
  EXPECT_FALSE(plan.facts.open());
  const auto way = root_samples(model, plan);
  ASSERT_EQ(way.size(), 31u) << "one for each of 30 frames and one for the whole cycle";
  EXPECT_NEAR(way[15].translation.z, 0.7, 1e-6);
  EXPECT_NEAR(way[30].translation.z, 1.4, 1e-6);
}

// Thirty keys of a walk along an arc, the thirty-first left out: the step over the seam is like its neighbours.
TEST(RootMotion, AnOpenLoopGoesOnOverItsSeam) {
  const auto arc = [](double t) { return glm::dvec3(2.0 * (1.0 - std::cos(0.9 * t)), 0.0, 2.0 * std::sin(0.9 * t)); };
  const Model model = walker({.place = arc, .yaw = [](double t) { return 0.9 * t; }}, 30, 30.0);
  const ClipPlan plan = planned(model, extracting()).plans.at(0);
  ASSERT_TRUE(plan.frames.loops);
  ASSERT_TRUE(plan.facts.open());
  const auto way = root_samples(model, replanned(plan, 60.0));
  ASSERT_EQ(way.size(), 61u);
  EXPECT_NEAR(way[60].yaw, 0.9, 1e-4);
  EXPECT_LT(glm::distance(way[60].translation, arc(1.0)), 1e-3);
  EXPECT_NEAR(way[59].yaw, 0.885, 1e-4) << "half-way over the seam";
}

TEST(RootMotion, APoseHasGoneNowhere) {
  const Model model = walker(straight_on(), 1);
  const auto way = root_samples(model, planned(model,
                                               [] {
                                                 BakeSettings settings = extracting();
                                                 settings.root_bone = "lower";
                                                 return settings;
                                               }())
                                           .plans.at(0));
  ASSERT_EQ(way.size(), 1u);
  EXPECT_LT(glm::length(way[0].translation), 1e-12);
}

TEST(RootMotion, OnlyABoneThatCarriesEverythingIsTakenForTheRoot) {
  ModelDraft draft = bar_draft();
  // The upper bone walks about; the lower, which carries it and half of the mesh, only bobs.
  draft.clips.push_back(
      clip_of("path", {moving(0, 31, 30.0, 0.0, [](double t) { return glm::dvec3(0.0, 0.1 * std::sin(t), 0.0); }),
                       moving(1, 31, 30.0, 0.0, [](double t) { return glm::dvec3(t, 1.0, 0.0); })}));
  const Model model = built(draft);
  BakeSettings settings = extracting();
  const Planned none = planned(model, settings);
  EXPECT_FALSE(none.plans.at(0).root.has_value());
  EXPECT_TRUE(none.has_note("no root motion"));
  settings.root_bone = "upper";
  const Planned named = planned(model, settings);
  EXPECT_NEAR(root_samples(model, named.plans.at(0)).back().translation.x, 1.0, 1e-6);
}

TEST(RootMotion, AnUnknownRootBoneIsRefusedWithNamesLikeIt) {
  BakeSettings settings = extracting();
  settings.root_bone = "uper";
  const std::string error = planned(walker(straight_on()), settings).error;
  EXPECT_NE(error.find("no bone 'uper'"), std::string::npos) << error;
  EXPECT_NE(error.find("'upper'"), std::string::npos) << error;
}

}  // namespace
}  // namespace throng
