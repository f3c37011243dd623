// SPDX-License-Identifier: Apache-2.0
// What is found out about models from their poses.
#include "crowd/measures.h"

#include <gtest/gtest.h>

#include "crowd/staging.h"
#include "crowd/troupe.h"
#include "mannequins.h"
#include "render/baked.h"

namespace throng {
namespace {

const ClipMeasures& clip_of(const Measures& measures, const Character& model, const char* name) {
  return measures.clips[model.find_clip(name).value().value];
}

TEST(Measures, TellHowFastTheMannequinsFeetWalkAndThatItLooksAlongZ) {
  const Character& model = test::mannequin();
  const Measures measures = measure(model);
  EXPECT_NEAR(measures.forward.y, 1.0, 1e-9);
  const ClipMeasures& walk = clip_of(measures, model, "walk");
  const BakedClip& clip = model.clips()[model.find_clip("walk").value().value];
  EXPECT_NEAR(speed_of(walk.gait, clip), test::kMannequinWalk, 0.06);
  EXPECT_FALSE(walk.gait.in_poses);
  EXPECT_EQ(clip_of(measures, model, "idle").gait.cycle, 0.0);
  EXPECT_EQ(clip_of(measures, model, "dance").gait.cycle, 0.0);
}

TEST(Measures, TellItsSizeAndTheRoomItTakes) {
  const Measures measures = measure(test::mannequin());
  EXPECT_NEAR(measures.stature.height, 1.8, 0.03);
  EXPECT_NEAR(measures.stature.metre(), 1.0, 0.02);
  EXPECT_EQ(measures.stature.ground, 0.0);
  const ClipMeasures& idle = clip_of(measures, test::mannequin(), "idle");
  EXPECT_NEAR(idle.footprint.size().x, 0.68, 0.08);
  EXPECT_LT(idle.footprint.size().y, 0.4);
  const ClipMeasures& wave = clip_of(measures, test::mannequin(), "wave");
  EXPECT_LT(wave.footprint.least.x, -0.6) << "it waves with its right";
  EXPECT_LT(wave.footprint.most.x, 0.45);
  EXPECT_GT(clip_of(measures, test::mannequin(), "cheer").highest, 2.1) << "arms up";
}

TEST(Measures, FollowTheWayThatIsInThePosesOrWasTakenOffThem) {
  const double cycle = test::kMannequinWalk * 1.0;
  const Character kept = test::baked(test::travelling_mannequin(), {.loops = {"walk"}});
  const Gait in_poses = clip_of(measure(kept), kept, "walk").gait;
  EXPECT_TRUE(in_poses.in_poses);
  EXPECT_NEAR(speed_of(in_poses, kept.clips()[kept.find_clip("walk").value().value]), test::kMannequinWalk, 0.01);
  EXPECT_NEAR(in_poses.way_after(2.9), 2.0 * in_poses.cycle, 1e-9) << "the poses do the rest";

  const Model model = test::travelling_mannequin({-1.0, 0.0});
  const BakeSettings settings = picture_bake(model);
  EXPECT_EQ(settings.root_motion, RootTreatment::extract);
  const Character taken_off = test::baked(model, settings);
  const Measures measures = measure(taken_off);
  const Gait gait = clip_of(measures, taken_off, "walk").gait;
  EXPECT_FALSE(gait.in_poses);
  EXPECT_NEAR(gait.cycle, cycle, 0.01);
  EXPECT_NEAR(gait.way_after(2.5), 2.5 * cycle, 0.02);
  EXPECT_NEAR(gait.ahead.x, -1.0, 1e-3);
  EXPECT_EQ(picture_bake(test::mannequin_model()).root_motion, RootTreatment::keep) << "it walks on the spot";
}

TEST(Measures, FindFeetThatWalkTheOtherWay) {
  // Turned about its root, it looks along −Z.
  ModelDraft draft = test::mannequin_model().draft();
  const glm::dquat about(0.0, 0.0, 1.0, 0.0);
  draft.bones[0].rest.rotation = about * draft.bones[0].rest.rotation;
  for (Clip& clip : draft.clips)
    for (BoneTrack& track : clip.bones)
      if (track.bone == 0)
        for (glm::quat& q : track.rotation.values) q = glm::quat(about * glm::dquat(q));
  const Character model = test::baked(build_model(std::move(draft)).value(), {.clips = {"walk", "idle"}});
  EXPECT_NEAR(measure(model).forward.y, -1.0, 1e-9);
}

TEST(Measures, LiftALoopThatSinksIntoTheGroundAndNothingElse) {
  const Measures usual = measure(test::mannequin());
  for (const ClipMeasures& clip : usual.clips) EXPECT_EQ(clip.raised, 0.0);

  // The dance is looked at twelve times from its first frame to its last, so not quite at its lowest.
  constexpr float kDepth = 0.5f;
  const Character loops =
      test::baked(test::sinking_mannequin("dance", kDepth), {.clips = {"dance", "idle"}, .loops = {"dance"}});
  const Measures sunk = measure(loops);
  EXPECT_EQ(sunk.stature.ground, 0.0);
  const ClipMeasures& dance = clip_of(sunk, loops, "dance");
  EXPECT_NEAR(dance.raised, kDepth, 0.06);
  EXPECT_NEAR(dance.raised, -dance.lowest, 1e-9);
  EXPECT_EQ(clip_of(sunk, loops, "idle").raised, 0.0);

  // Soles may sink in; what plays once, and what walks, is where it means to be.
  const auto raised = [](const char* name, float depth, const BakeSettings& settings) {
    const Character model = test::baked(test::sinking_mannequin(name, depth), settings);
    return clip_of(measure(model), model, name).raised;
  };
  EXPECT_EQ(raised("dance", 0.04f, {.clips = {"dance", "idle"}, .loops = {"dance"}}), 0.0);
  EXPECT_EQ(raised("dance", kDepth, {.clips = {"dance", "idle"}, .once = {"dance"}}), 0.0);
  EXPECT_EQ(raised("walk", 0.1f, {.clips = {"walk", "idle"}, .loops = {"walk"}}), 0.0);
  EXPECT_GT(raised("dance", kDepth, {.clips = {"dance"}, .once = {"dance"}}), 0.4) << "the only one it has";
}

TEST(Troupe, PlacesThoseWhoPlayALoopThatSinksHigherUp) {
  const Character model =
      test::baked(test::sinking_mannequin("dance", 0.5f), {.clips = {"dance", "idle"}, .loops = {"dance"}});
  Troupe troupe = make_troupe({model});
  const Player& player = troupe.players.front();
  const ClipId dance = model.find_clip("dance").value();
  troupe.players.front().only = dance;
  EXPECT_EQ(troupe.floor_of(player, model.find_clip("idle").value(), 2.0), 0.0);
  EXPECT_NEAR(troupe.floor_of(player, dance, 2.0), 1.0, 0.12);
  const Staged staged = stage_crowd(troupe, {.count = 1}, View::close, 1.5).value();
  EXPECT_NEAR(staged.crowd.instances(ModelId(0)).front().position[1], 0.5, 0.06);
}

TEST(Troupe, TakesModelsForMetresUnlessThatIsAbsurd) {
  EXPECT_EQ(unit_of({.height = 1.8}).metres, 1.0);
  EXPECT_EQ(unit_of({.height = 0.3}).metres, 1.0);
  EXPECT_EQ(unit_of({.height = 7.0}).metres, 1.0);
  EXPECT_EQ(unit_of({.height = 78.0}).metres, 0.01);
  EXPECT_EQ(unit_of({.height = 1800.0}).metres, 0.001);
  const Unit tiny = unit_of({.height = 0.01});
  EXPECT_NEAR(tiny.metres * 0.01, 1.8, 1e-9);
  EXPECT_EQ(tiny.taken_for, "as large as a person");
}

TEST(Troupe, SaysWhatItTookAModelFor) {
  ModelDraft draft = test::mannequin_model().draft();
  draft.name = "giant";
  for (Bone& bone : draft.bones) bone.rest.translation *= 100.0;
  for (Binding& binding : draft.bindings)
    binding.bone_from_mesh[3] = glm::dvec4(100.0 * glm::dvec3(binding.bone_from_mesh[3]), 1.0);
  for (Mesh& mesh : draft.meshes)
    for (glm::vec3& p : mesh.positions) p *= 100.0f;
  draft.clips.clear();
  const Character giant = test::baked(build_model(std::move(draft)).value());
  std::vector<std::string> said;
  const Troupe troupe = make_troupe({test::mannequin(), giant}, &said);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("'giant'"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("centimetres"), std::string::npos) << said[0];
  EXPECT_EQ(troupe.players[0].scale, 1.0);
  EXPECT_EQ(troupe.players[1].scale, 0.01);
  EXPECT_NEAR(troupe.metre, 1.0, 0.02);
}

}  // namespace
}  // namespace throng
