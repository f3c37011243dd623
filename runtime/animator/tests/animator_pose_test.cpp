// SPDX-License-Identifier: Apache-2.0
// Poses: against the reference in double, and what layers do to them.

#include <gtest/gtest.h>

#include "blend_poses.h"
#include "compiled_rig.h"
#include "graph_stage.h"
#include "mannequin_model.h"
#include "throng/animator/ik.h"

namespace throng {
namespace {

std::shared_ptr<const AnimatorGraph> mannequin_graph(const std::string& json) {
  static const std::shared_ptr<const Rig> rig = test::compiled_rig(test::mannequin_model()).value();
  std::string text = json;
  std::replace(text.begin(), text.end(), '\'', '"');
  return build_graph(parse_graph(text, "mannequin.json").value(), rig).value();
}

// The largest distance between where bones are and where the reference has them.
double worst(const Animator& animator, const Pose& expected) {
  const std::vector<glm::dmat4> bones = model_from_bones(test::mannequin_model(), expected);
  double most = 0.0;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const glm::dmat4 ours(to_matrix(animator.models()[i]));
    for (int column = 0; column < 4; ++column)
      most = std::max(most, glm::length(glm::dvec3(ours[column]) - glm::dvec3(bones[i][column])));
  }
  return most;
}

TEST(AnimatorPose, IsTheReferencesForOneClipAndInATransition) {
  const auto graph = mannequin_graph(
      "{'parameters': [{'name': 'go', 'type': 'trigger'}], 'layers': [{'name': 'base', 'states': [{'name': 'walk', "
      "'motion': 'walk', 'transitions':"
      "[{'to': 'run', 'duration': 0.5, 'conditions': [{'trigger': 'go'}]}]}, {'name': 'run', 'motion': 'run'}]}]}");
  Animator animator(graph);
  const Clip& walk = test::mannequin_model().clips()[test::mannequin_model().find_clip("walk").value()];
  const Clip& run = test::mannequin_model().clips()[test::mannequin_model().find_clip("run").value()];
  animator.advance(0.37);
  animator.pose();
  EXPECT_LT(worst(animator, sample(test::mannequin_model(), walk, walk.start + 0.37)), 2e-3);
  ASSERT_TRUE(animator.set_trigger("go"));
  animator.advance(0.2);
  animator.pose();
  const Pose a = sample(test::mannequin_model(), walk, walk.start + std::fmod(0.57, walk.length()));
  const Pose b = sample(test::mannequin_model(), run, run.start + 0.2);
  EXPECT_LT(worst(animator, test::blend_poses(a, b, 0.4)), 2e-3);
  EXPECT_GT(worst(animator, b), 0.05) << "the two are not alike";
}

TEST(AnimatorPose, IsWhatSolversAreGivenToEdit) {
  const auto graph = mannequin_graph("{'layers': [{'name': 'base', 'states': [{'name': 'walk', 'motion': 'walk'}]}]}");
  Animator animator(graph);
  EXPECT_FALSE(animator.edit().fits()) << "not posed yet";
  animator.advance(0.2);
  animator.pose();
  const PoseEdit pose = animator.edit();
  ASSERT_TRUE(pose.fits());
  EXPECT_EQ(&pose.rig, graph->rig().get());
  const std::uint32_t head = graph->rig()->find_bone("head").value();
  const std::array bones{AimBone{.bone = head}};
  const glm::vec3 target = position_of(animator.models()[head]) + glm::vec3(1.0f, 0.0f, 1.0f);
  const IkReport report = solve_aim(pose, {.bones = bones, .target = target, .axis = {0.0f, 0.0f, 1.0f}});
  EXPECT_EQ(report.fault, IkFault::none) << to_text(report.fault);
  Animator untouched(graph);
  untouched.advance(0.2);
  untouched.pose();
  EXPECT_NE(animator.models()[head].rows, untouched.models()[head].rows) << "the animator's own pose was edited";
}

TEST(AnimatorPose, MakesThePaletteOfTheReference) {
  const auto graph = mannequin_graph("{'layers': [{'name': 'base', 'states': [{'name': 'walk', 'motion': 'walk'}]}]}");
  Animator animator(graph);
  std::vector<Affine> palette(graph->rig()->bound_bones().size());
  EXPECT_FALSE(animator.palette(palette)) << "not posed yet";
  animator.advance(0.3);
  animator.pose();
  ASSERT_TRUE(animator.palette(palette));
  EXPECT_FALSE(animator.palette(std::span(palette).first(1)));
  const Clip& walk = test::mannequin_model().clips()[test::mannequin_model().find_clip("walk").value()];
  const auto expected =
      skinning_palette(test::mannequin_model(), sample(test::mannequin_model(), walk, walk.start + 0.3));
  for (std::size_t i = 0; i < palette.size(); ++i) {
    for (int column = 0; column < 4; ++column)
      EXPECT_LT(glm::length(glm::dvec3(glm::dmat4(to_matrix(palette[i]))[column]) - glm::dvec3(expected[i][column])),
                2e-3);
  }
}

TEST(AnimatorPose, LetsLocalsBeEditedAndModelsFollow) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'idle'}]")));
  animator.pose();
  const std::uint32_t arm = stage::rig()->find_bone("arm").value(), hand = stage::rig()->find_bone("hand").value();
  BoneTransform local = local_of(animator.locals(), arm);
  local.translation.z = 7.0f;
  set_local(animator.locals(), arm, local);
  animator.update_models(arm);
  EXPECT_NEAR(position_of(animator.models()[hand]).z, 7.0f, 1e-6f);
}

float spine(Animator& animator) {
  animator.pose();
  return stage::local_position(animator, "spine").x;
}

TEST(AnimatorPose, DoesNotPopWhereATransitionIsBrokenOff) {
  const auto graph =
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'walk', 'transitions': [{'to': 'b', 'duration': 1, "
                                     "'interruption': 'destination', 'conditions': [{'trigger': 'go'}]}]},"
                                     "{'name': 'b', 'motion': 'run', 'transitions': [{'to': 'c', 'duration': 0.5, "
                                     "'interruption': 'destination', 'conditions': [{'trigger': 'stop'}]}]},"
                                     "{'name': 'c', 'motion': 'pose', 'transitions': [{'to': 'a', 'duration': 0.5, "
                                     "'conditions': [{'parameter': 'on', 'is': true}]}]}]"));
  Animator animator(graph);
  stage::set(animator, "go!");
  animator.advance(0.5);
  EXPECT_NEAR(spine(animator), 1.5f, 1e-5f);
  stage::set(animator, "stop!");
  animator.advance(0.0);
  EXPECT_EQ(stage::place(animator), "b~c");
  EXPECT_NEAR(spine(animator), 1.5f, 1e-5f) << "begins where it was";
  animator.advance(0.25);
  EXPECT_NEAR(spine(animator), 0.5f * 1.5f + 0.5f * -5.0f, 1e-5f);
  stage::set(animator, "on=1");
  animator.advance(0.0);
  EXPECT_EQ(stage::place(animator), "c~a");
  EXPECT_NEAR(spine(animator), 0.5f * 1.5f + 0.5f * -5.0f, 1e-5f) << "and again";
  animator.advance(0.5);
  EXPECT_NEAR(spine(animator), 1.0f, 1e-5f);
}

TEST(AnimatorPose, IsAtRestInAStateWithoutMotion) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a'}]")));
  animator.advance(0.5);
  EXPECT_EQ(spine(animator), 0.0f);
}

std::string layers(const std::string& second,
                   const std::string& base = "[{'name': 'a', 'motion': 'walk'}, {'name': 'b', 'motion': 'run'}]") {
  return "{'layers': [{'name': 'base', 'states': " + base + "}, {'name': 'top', " + second + "}]}";
}

TEST(AnimatorLayer, OverridesAsFarAsItsWeightSays) {
  Animator animator(stage::graph(layers("'weight': 0.25, 'states': [{'name': 'p', 'motion': 'pose'}]")));
  animator.advance(0.1);
  EXPECT_NEAR(spine(animator), 0.75f * 1.0f + 0.25f * -5.0f, 1e-5f);
  ASSERT_TRUE(animator.set_layer_weight(1, 1.0f));
  EXPECT_NEAR(spine(animator), -5.0f, 1e-5f);
  ASSERT_TRUE(animator.set_layer_weight(1, 0.0f));
  EXPECT_NEAR(spine(animator), 1.0f, 1e-5f);
  EXPECT_FALSE(animator.set_layer_weight(0, 0.5f));
  EXPECT_FALSE(animator.set_layer_weight(1, std::nanf("")));
  EXPECT_FALSE(animator.set_layer_weight(2, 1.0f));
}

TEST(AnimatorLayer, ReachesTheBonesOfItsMaskWithASoftEdge) {
  Animator animator(
      stage::graph(layers("'mask': [{'bone': 'spine', 'falloff': 2}, {'bone': 'hand', 'weight': 0}], 'states': "
                          "[{'name': 'w', 'motion': 'wave'}]",
                          "[{'name': 'a'}]")));
  const auto height = [&](const char* bone) { return stage::local_position(animator, bone).y; };
  animator.advance(0.1);
  animator.pose();
  // wave lifts the arm from 1 to 4; the arm is the second of three bones of the soft edge.
  EXPECT_NEAR(height("arm"), 1.0f + 3.0f * 2.0f / 3.0f, 1e-5f);
  EXPECT_NEAR(height("hand"), 1.0f, 1e-6f);
  Animator whole(stage::graph(
      layers("'mask': [{'bone': 'arm', 'descendants': false}], 'states': [{'name': 'w', 'motion': 'wave'}]",
             "[{'name': 'a', 'motion': 'walk'}]")));
  whole.advance(0.1);
  EXPECT_NEAR(spine(whole), 1.0f, 1e-6f) << "not in the mask";
  EXPECT_NEAR(stage::local_position(whole, "arm").y, 4.0f, 1e-5f);
}

TEST(AnimatorLayer, AddsTheDifferenceToItsReference) {
  Animator own(stage::graph(layers("'kind': 'additive', 'weight': 0.5, 'states': [{'name': 'n', 'motion': 'nod'}]")));
  own.advance(0.25);
  EXPECT_NEAR(spine(own), 1.0f + 0.5f * (4.0f - 3.0f), 1e-4f) << "to its own first pose";
  Animator other(
      stage::graph(layers("'kind': 'additive', 'reference_clip': 'run', 'states': [{'name': 'n', 'motion': 'nod'}]")));
  other.advance(0.25);
  EXPECT_NEAR(spine(other), 1.0f + (4.0f - 2.0f), 1e-4f);
}

// The reference is a moment at which the clip has moved its root, and turned it.
TEST(AnimatorLayer, AddsNothingAtItsReferenceTimeWhereverRootMotionGoes) {
  for (const RootMotionMode mode : {RootMotionMode::kept, RootMotionMode::extracted}) {
    const bool kept = mode == RootMotionMode::kept;
    const auto added = [&](const char* clip) {
      const std::string name = std::string("'") + clip + "'";
      return Animator(
          stage::graph(layers("'kind': 'additive', 'reference_clip': " + name +
                                  ", 'reference_time': 0.5, 'states': [{'name': 'w', 'motion': " + name + "}]",
                              "[{'name': 'a', 'motion': 'idle'}]")),
          {.root_motion = mode});
    };
    Animator walking = added("walk");
    walking.advance(0.5);
    EXPECT_NEAR(spine(walking), 0.0f, 1e-5f);
    EXPECT_NEAR(stage::local_position(walking, "root").z, 0.0f, 1e-5f);
    walking.advance(0.25);
    EXPECT_NEAR(spine(walking), 0.0f, 1e-5f);
    EXPECT_NEAR(stage::local_position(walking, "root").z, kept ? 0.5f : 0.0f, 1e-4f);
    Animator turning = added("turn");
    turning.advance(0.5);
    turning.pose();
    const glm::quat rotation = local_of(turning.locals(), 0).rotation;
    EXPECT_NEAR(std::abs(rotation.w), 1.0f, 1e-6f);
    EXPECT_NEAR(glm::length(stage::local_position(turning, "root")), 0.0f, 1e-4f);
  }
}

TEST(AnimatorLayer, LetsTheOnesBelowThroughWhereItHasNoMotion) {
  Animator animator(
      stage::graph("{'parameters': [{'name': 'go', 'type': 'trigger'}], 'layers': [{'name': 'base', 'states': "
                   "[{'name': 'a', 'motion': 'walk'}]},"
                   "{'name': 'top', 'states': [{'name': 'none', 'transitions': [{'to': 'p', 'duration': 1, "
                   "'conditions': [{'trigger': 'go'}]}]}, {'name': 'p', 'motion': 'pose'}]}]}"));
  animator.advance(0.1);
  EXPECT_NEAR(spine(animator), 1.0f, 1e-6f);
  ASSERT_TRUE(animator.set_trigger("go"));
  animator.advance(0.5);
  EXPECT_NEAR(spine(animator), 0.5f * 1.0f + 0.5f * -5.0f, 1e-5f);
}

TEST(AnimatorLayer, FollowsAnotherWithItsOwnMotions) {
  const std::string base =
      "[{'name': 'a', 'motion': 'walk', 'transitions': [{'to': 'b', 'duration': 0.5, 'exit_time': 0.5}]}, {'name': "
      "'b', 'motion': 'run'}]";
  Animator shared(stage::graph(layers(
      "'synchronised_with': 'base', 'motions': [{'state': 'a', 'motion': 'wave'}, {'state': 'b', 'motion': 'nod'}]",
      base)));
  shared.advance(0.3);
  EXPECT_NEAR(shared.dominant_clip(1)->seconds, 0.6, 1e-6) << "the base's phase, of two seconds";
  EXPECT_NEAR(shared.dominant_clip(1)->speed, 2.0, 1e-6);
  shared.advance(0.3);
  EXPECT_EQ(stage::place(shared, 0), "a>b");
  EXPECT_EQ(stage::place(shared, 1), "a>b");
  EXPECT_EQ(shared.state(0).next_normalised_time, shared.state(1).next_normalised_time);
  EXPECT_FALSE(shared.jump_to(0, 0.0, 1));
  Animator own(stage::graph(
      layers("'synchronised_with': 'base', 'own_timing': true, 'motions': [{'state': 'a', 'motion': 'wave'}]", base)));
  own.advance(0.3);
  EXPECT_NEAR(own.dominant_clip(1)->seconds, 0.3, 1e-6);
  own.advance(2.0);
  EXPECT_EQ(stage::place(own, 1), "b");
  EXPECT_EQ(own.dominant_clip(1), std::nullopt);
}

}  // namespace
}  // namespace throng
