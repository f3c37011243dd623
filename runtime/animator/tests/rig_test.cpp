// SPDX-License-Identifier: Apache-2.0
// What a rig keeps of a model: its keys, its names and its order.

#include "compiled_rig.h"
#include "rig_models.h"
#include "rig_poses.h"

namespace throng {
namespace {

using namespace test;

std::shared_ptr<const Rig> rig_of(ModelDraft draft, const MotionSettings& settings = {}) {
  return test::compiled_rig(build_model(std::move(draft)).value(), settings).value();
}

float x_at(TestCharacter& character, float time, std::uint32_t bone = 0) {
  EXPECT_TRUE(character.sample(time));
  return local_of(character.locals, bone).translation.x;
}

TEST(RigKeys, HoldAStepUntilItsKeyAndChangeExactlyThere) {
  ModelDraft draft = chain(2);
  draft.clips = {clip_of(0.0, 2.0,
                         {{0, places(Interpolation::step, {0.0f, 0.7f, 2.0f}, {1.0f, 5.0f, 9.0f}), {}, {}},
                          {1, places(Interpolation::linear, {0.0f, 2.0f}, {0.0f, 2.0f}), {}, {}}})};
  const auto rig = rig_of(draft);
  TestCharacter character(*rig, 0);
  EXPECT_EQ(x_at(character, 0.0f), 1.0f);
  EXPECT_EQ(x_at(character, std::nextafter(0.7f, 0.0f)), 1.0f);
  EXPECT_EQ(x_at(character, 0.7f), 5.0f);
  EXPECT_EQ(x_at(character, std::nextafter(2.0f, 0.0f)), 5.0f);
  EXPECT_EQ(x_at(character, 2.0f), 9.0f);
  EXPECT_EQ(x_at(character, 0.7f), 5.0f) << "and backwards";
  EXPECT_EQ(x_at(character, std::nextafter(0.7f, 0.0f)), 1.0f);
  EXPECT_NEAR(x_at(character, 0.7f, 1), 0.7f, 1e-6f) << "a neighbour in the same group goes on straight";
}

TEST(RigKeys, CutWideArcsSoThatTheyTurnEvenly) {
  ModelDraft draft = chain(1);
  draft.clips = {clip_of(0.0, 1.0, {{0, {}, turns(Interpolation::linear, {0.0f, 1.0f}, {0.0f, 3.1f}), {}}})};
  for (const float tolerance : {1e-2f, 1e-3f, 1e-4f}) {
    const auto rig = rig_of(draft, {.angle_tolerance = tolerance});
    TestCharacter character(*rig, 0);
    double most = 0.0;
    for (int i = 0; i <= 1000; ++i) {
      const float time = static_cast<float>(i) / 1000.0f;
      ASSERT_TRUE(character.sample(time));
      const glm::dquat even = glm::angleAxis(3.1 * static_cast<double>(time), glm::dvec3(0, 0, 1));
      most = std::max(most, angle_between(glm::dquat(local_of(character.locals, 0).rotation), even));
    }
    EXPECT_LE(most, static_cast<double>(tolerance) * 1.01);
    EXPECT_GE(most, static_cast<double>(tolerance) * 0.2) << "no more keys than the tolerance asks for";
  }
}

TEST(RigKeys, TakeTheShortArcWhateverSignTheFileWrites) {
  ModelDraft draft = chain(1);
  Curve<glm::quat> curve = turns(Interpolation::linear, {0.0f, 1.0f, 2.0f, 3.0f}, {0.0f, 0.2f, 0.4f, 0.6f});
  curve.values[1] = -curve.values[1];
  curve.values[3] = -curve.values[3];
  draft.clips = {clip_of(0.0, 3.0, {{0, {}, curve, {}}})};
  const auto rig = rig_of(draft);
  TestCharacter character(*rig, 0);
  for (const float time : {0.5f, 1.5f, 2.5f}) {
    ASSERT_TRUE(character.sample(time));
    const glm::dquat right = glm::angleAxis(0.2 * static_cast<double>(time), glm::dvec3(0, 0, 1));
    EXPECT_LE(angle_between(glm::dquat(local_of(character.locals, 0).rotation), right), 1e-4);
  }
}

TEST(RigKeys, ShareACursorAmongCurvesWithTheSameTimesAndNeedNoneForWhatStandsStill) {
  const auto sliding = [](std::uint32_t bone, std::vector<float> times) {
    std::vector<float> xs(times.size());
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<float>(i);
    return BoneTrack{bone, places(Interpolation::linear, std::move(times), std::move(xs)), {}, {}};
  };
  ModelDraft draft = chain(12);
  draft.clips = {clip_of(0.0, 1.0, {{0, places(Interpolation::linear, {0.0f, 1.0f}, {3.0f, 3.0f}), {}, {}}}),
                 clip_of(0.0, 1.0, {sliding(0, {0.0f, 0.5f, 1.0f}), sliding(5, {0.0f, 0.5f, 1.0f})}),
                 clip_of(0.0, 1.0, {sliding(0, {0.0f, 0.5f, 1.0f}), sliding(5, {0.0f, 0.4f, 1.0f})}),
                 clip_of(0.5, 0.5, {sliding(0, {0.5f})})};
  const auto rig = rig_of(draft);
  EXPECT_EQ(rig->clips()[0].cursor_count, 0u);
  EXPECT_EQ(rig->clips()[1].cursor_count, 1u);
  EXPECT_EQ(rig->clips()[2].cursor_count, 2u);
  EXPECT_EQ(rig->clips()[3].cursor_count, 0u);
  EXPECT_EQ(rig->clips()[3].length, 0.0f);
  TestCharacter still(*rig, 0);
  EXPECT_EQ(x_at(still, 0.3f), 3.0f) << "what stands still stands where the clip says, not at rest";
  EXPECT_EQ(local_of(still.locals, 1).translation.y, 1.0f) << "what it does not name is at rest";
}

TEST(RigKeys, CountTimeFromTheClipsStartAndStayInsideIt) {
  ModelDraft draft = chain(1);
  draft.clips = {clip_of(2.0, 4.0, {{0, places(Interpolation::linear, {2.0f, 4.0f}, {2.0f, 4.0f}), {}, {}}})};
  draft.clips[0].events = {{3.5, "late"}, {2.5, "early"}};
  const auto rig = rig_of(draft);
  EXPECT_EQ(rig->clips()[0].length, 2.0f);
  TestCharacter character(*rig, 0);
  EXPECT_EQ(x_at(character, 0.5f), 2.5f);
  EXPECT_EQ(x_at(character, -7.0f), 2.0f);
  EXPECT_EQ(x_at(character, 7.0f), 4.0f);
  EXPECT_EQ(x_at(character, std::numeric_limits<float>::quiet_NaN()), 2.0f);
  ASSERT_EQ(rig->clips()[0].events.size(), 2u);
  EXPECT_EQ(rig->clips()[0].events[0].name, "early");
  EXPECT_EQ(rig->clips()[0].events[0].time, 0.5);
  EXPECT_EQ(rig->clips()[0].events[1].time, 1.5);
}

TEST(Rig, LoopsAsTheSourceSaysOrAsItsEndsAgree) {
  const auto turning = [](float end) {
    return clip_of(0.0, 1.0, {{0, {}, turns(Interpolation::linear, {0.0f, 0.5f, 1.0f}, {0.0f, 1.0f, end}), {}}});
  };
  ModelDraft draft = chain(2);
  draft.clips = {turning(0.0f), turning(0.0f), turning(0.5f), turning(0.5f)};
  draft.clips[1].loops = false;
  draft.clips[3].loops = true;
  const auto rig = rig_of(draft);
  EXPECT_TRUE(rig->clips()[0].loops);
  EXPECT_FALSE(rig->clips()[1].loops);
  EXPECT_FALSE(rig->clips()[2].loops);
  EXPECT_TRUE(rig->clips()[3].loops);
}

TEST(Rig, FindsBonesAndClipsAndNamesThoseSpelledLikeWhatIsNotThere) {
  ModelDraft draft = chain(3);
  draft.bones[1].name = "mixamorig:LeftFoot";
  draft.bones[2].name = "RightFoot";
  draft.clips = {clip_of(0.0, 0.0, {}), clip_of(0.0, 0.0, {})};
  draft.clips[1].name = "walk";
  const auto rig = rig_of(draft);
  EXPECT_EQ(rig->find_bone("mixamorig:LeftFoot").value(), 1u);
  EXPECT_EQ(rig->find_bone("LeftFoot").value(), 1u);
  EXPECT_EQ(rig->find_bone("other|RightFoot").value(), 2u);
  EXPECT_EQ(rig->find_clip("walk").value(), ClipId(1));
  const auto foot = rig->find_bone("leftfot");
  ASSERT_FALSE(foot);
  EXPECT_NE(foot.error().message.find("'leftfot'"), std::string::npos);
  EXPECT_LT(foot.error().message.find("mixamorig:LeftFoot"), foot.error().message.find("RightFoot"));
  const auto clip = rig->find_clip("wlak");
  ASSERT_FALSE(clip);
  EXPECT_NE(clip.error().message.find("'walk'"), std::string::npos);
}

TEST(Rig, RefusesWhatItCannotDriveInWords) {
  const auto refused = [](ModelDraft draft, const MotionSettings& settings) {
    const auto rig = test::compiled_rig(build_model(std::move(draft)).value(), settings);
    return rig ? std::string() : rig.error().message;
  };
  EXPECT_NE(refused({}, {}).find("no bones"), std::string::npos);
  EXPECT_NE(refused(chain(2), {.root_bone = "hips"}).find("'hips'"), std::string::npos);
  EXPECT_NE(refused(chain(2), {.angle_tolerance = 0.0f}).find("above 0"), std::string::npos);
  EXPECT_NE(refused(chain(2), {.distance_tolerance = std::nanf("")}).find("above 0"), std::string::npos);
}

TEST(Rig, TakesForRootTheFirstBoneThatMovesAndCarriesTheOthers) {
  const auto moving = [](std::uint32_t bone) {
    return clip_of(0.0, 1.0, {{bone, places(Interpolation::linear, {0.0f, 1.0f}, {0.0f, 1.0f}), {}, {}}});
  };
  ModelDraft draft = chain(6);
  EXPECT_EQ(rig_of(draft)->root_bone(), std::nullopt) << "nothing moves";
  draft.clips = {moving(4), moving(1)};
  EXPECT_EQ(rig_of(draft)->root_bone(), 1u) << "4 carries a third of the bones only";
  EXPECT_EQ(rig_of(draft, {.root_bone = "bone 3"})->root_bone(), 3u);
  draft.bones[2].parent = std::nullopt;
  draft.clips.push_back(moving(2));
  EXPECT_EQ(rig_of(draft)->root_bone(), 2u) << "a bone without a parent that moves goes first";
}

TEST(Rig, KnowsWhatIsBelowABoneWhateverTheOrder) {
  const auto rig = rig_of(random_tree(57, 3));
  for (std::uint32_t ancestor = 0; ancestor < 57; ++ancestor) {
    std::uint32_t last = ancestor;
    for (std::uint32_t bone = 0; bone < 57; ++bone) {
      bool below = bone == ancestor;
      for (auto up = rig->parent(bone); up; up = rig->parent(*up)) below = below || *up == ancestor;
      EXPECT_EQ(rig->is_below(bone, ancestor), below) << bone << " below " << ancestor;
      if (below) last = std::max(last, bone);
    }
    EXPECT_EQ(rig->last_below(ancestor), last);
  }
}

TEST(Rig, HoldsTheRestPoseInBothSpaces) {
  const Model model = build_model(random_tree(10, 5)).value();
  const auto rig = test::compiled_rig(model).value();
  EXPECT_LE(local_gap(rig->rest(), rest_pose(model), 1.0).angle, 1e-6);
  EXPECT_LE(local_gap(rig->rest(), rest_pose(model), 1.0).factor, 1e-6);
  const auto bones = model_from_bones(model, rest_pose(model));
  for (std::uint32_t bone = 0; bone < 10; ++bone) {
    EXPECT_LE(glm::distance(glm::dvec3(position_of(rig->rest_models()[bone])), glm::dvec3(bones[bone][3])), 1e-5);
  }
  const BoneTransform padding = local_of(rig->rest(), 11);
  EXPECT_EQ(padding.rotation.w, 1.0f) << "lanes past the last bone are identity";
  EXPECT_EQ(padding.scale, glm::vec3(1.0f));
}

TEST(RigSpaces, SetsOneBoneAmongItsNeighboursAndReadsItBack) {
  std::vector<SoaTransform> locals(2);
  for (std::uint32_t bone = 0; bone < 8; ++bone) set_local(locals, bone, {glm::vec3(static_cast<float>(bone)), {}, {}});
  const BoneTransform put{{1, 2, 3}, {0.5f, 0.5f, -0.5f, 0.5f}, {4, 5, 6}};
  set_local(locals, 5, put);
  EXPECT_EQ(local_of(locals, 5).translation, put.translation);
  EXPECT_EQ(local_of(locals, 5).rotation, put.rotation);
  EXPECT_EQ(local_of(locals, 5).scale, put.scale);
  EXPECT_EQ(local_of(locals, 4).translation.x, 4.0f);
  EXPECT_EQ(local_of(locals, 6).translation.x, 6.0f);
}

TEST(RigSpaces, FindsTheTurnUnderScaleMirrorsAndFlatness) {
  const glm::quat turn = glm::normalize(glm::quat(0.7f, -0.3f, 0.5f, 0.2f));
  const auto found = [&](const glm::vec3& scale) {
    glm::mat4 m = glm::mat4_cast(turn);
    for (int column = 0; column < 3; ++column) m[column] *= scale[column];
    return angle_between(glm::dquat(rotation_of(to_affine(m))), glm::dquat(turn));
  };
  EXPECT_LE(found({1, 1, 1}), 1e-6);
  EXPECT_LE(found({2, 0.5f, 3}), 1e-6);
  EXPECT_LE(found({-2, 0.5f, 3}), 1e-6) << "a mirror is laid to the first axis";
  EXPECT_LE(found({0, 1, 1}), 1e-6);
  EXPECT_LE(found({1, 0, 1}), 1e-6);
  EXPECT_LE(found({1, 1, 0}), 1e-6);
  const glm::quat nothing = rotation_of(to_affine(glm::mat4(0.0f)));
  EXPECT_NEAR(glm::length(nothing), 1.0f, 1e-6f) << "nothing at all has some turn";
}

}  // namespace
}  // namespace throng
