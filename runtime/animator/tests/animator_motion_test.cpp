// SPDX-License-Identifier: Apache-2.0
// What states play: clips, blend trees, and the time they keep.

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "graph/motion_weights.h"
#include "graph_stage.h"

namespace throng {

using namespace detail::animator;

namespace {

std::vector<TreeChild> at_places(const std::vector<glm::vec2>& places) {
  std::vector<TreeChild> children;
  for (const glm::vec2& place : places) children.push_back({.at = place});
  return children;
}

using Weigh = void (*)(std::span<const TreeChild>, const glm::vec2&, std::span<float>);

struct BlendRow {
  std::string name;
  Weigh weigh;
  std::vector<glm::vec2> places;
  glm::vec2 at;
  std::vector<float> expected;
};

void line(std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  weigh_1d(children, at.x, weights);
}

void plane(MotionKind kind, std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  const Tree tree{.kind = kind, .children = {children.begin(), children.end()}, .bands = make_bands(kind, children)};
  weigh_2d(tree, at, weights);
}
void weigh_cartesian(std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  plane(MotionKind::cartesian, children, at, weights);
}
void weigh_directional(std::span<const TreeChild> children, const glm::vec2& at, std::span<float> weights) {
  plane(MotionKind::directional, children, at, weights);
}

class BlendWeights : public testing::TestWithParam<BlendRow> {};

TEST_P(BlendWeights, AreThoseOfTheTable) {
  const BlendRow& row = GetParam();
  const std::vector<TreeChild> children = at_places(row.places);
  std::vector<float> weights(children.size(), -1.0f);
  row.weigh(children, row.at, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(weights[i], row.expected[i], 1e-6) << "child " << i;
}

std::vector<BlendRow> blend_rows() {
  const std::vector<glm::vec2> cross = {{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  return {
      {"LineBetween", line, {{0, 0}, {1, 0}, {3, 0}}, {2, 0}, {0, 0.5f, 0.5f}},
      {"LineBefore", line, {{0, 0}, {1, 0}}, {-4, 0}, {1, 0}},
      {"LineBeyond", line, {{0, 0}, {1, 0}}, {4, 0}, {0, 1}},
      {"LineAtAChild", line, {{0, 0}, {1, 0}, {3, 0}}, {1, 0}, {0, 1, 0}},
      {"LineOfOne", line, {{7, 0}}, {1, 0}, {1}},
      {"LineWithTwins", line, {{0, 0}, {1, 0}, {1, 0}, {2, 0}}, {1, 0}, {0, 1, 0, 0}},
      {"LineOfTwinsOnly", line, {{1, 0}, {1, 0}}, {1, 0}, {1, 0}},
      {"CartesianAtAChild", weigh_cartesian, cross, {1, 0}, {0, 0, 1, 0, 0}},
      {"CartesianHalfWay", weigh_cartesian, cross, {0, 0.5f}, {0.5f, 0.5f, 0, 0, 0}},
      {"CartesianOfOne", weigh_cartesian, {{3, 4}}, {0, 0}, {1}},
      {"CartesianTwinsShare", weigh_cartesian, {{1, 1}, {1, 1}}, {0, 0}, {0.5f, 0.5f}},
      {"CartesianDiagonal", weigh_cartesian, {{1, 0}, {0, 1}}, {0.5f, 0.5f}, {0.5f, 0.5f}},
      {"DirectionalAtAChild", weigh_directional, cross, {0, 1}, {0, 1, 0, 0, 0}},
      {"DirectionalInTheMiddle", weigh_directional, cross, {0, 0}, {1, 0, 0, 0, 0}},
      {"DirectionalBetweenTwoDirections",
       weigh_directional,
       cross,
       {std::sqrt(0.5f), std::sqrt(0.5f)},
       {0, 0.5f, 0.5f, 0, 0}},
      {"DirectionalHalfSpeed", weigh_directional, cross, {0, 0.5f}, {0.5f, 0.5f, 0, 0, 0}},
      {"DirectionalBeyond", weigh_directional, {{0, 1}, {0, 2}}, {0, 5}, {0, 1}},
      {"DirectionalTwinsShare", weigh_directional, {{0, 1}, {0, 1}}, {1, 0}, {0.5f, 0.5f}},
  };
}
std::string name_of(const testing::TestParamInfo<BlendRow>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Of, BlendWeights, testing::ValuesIn(blend_rows()), name_of);

TEST(BlendWeights, SumToOneAndGoSmoothlyEverywhere) {
  const std::vector<TreeChild> children = at_places({{0, 0}, {0, 1}, {0, 3}, {1, 0.2f}, {-1, 0}, {0.5f, -2}});
  for (const Weigh weigh : {weigh_cartesian, weigh_directional}) {
    for (float y = -4.0f; y <= 4.0f; y += 0.37f) {
      std::array<float, 6> last{};
      for (float x = -4.0f; x <= 4.0f; x += 0.01f) {
        std::array<float, 6> weights{};
        weigh(children, {x, y}, weights);
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-5);
        for (std::size_t i = 0; i < weights.size(); ++i) {
          ASSERT_GE(weights[i], 0.0f);
          if (x == -4.0f) continue;
          ASSERT_NEAR(weights[i], last[i], 0.12f) << x << " " << y << " child " << i;
        }
        last = weights;
      }
    }
  }
}

const std::string kGaits =
    "[{'name': 'gait', 'motion': {'blend': '1d', 'x': 'speed', 'children': [{'clip': 'walk', 'at': 0}, {'clip': 'run', "
    "'at': 1}]}}]";

TEST(BlendTree, KeepsFeetInStep) {
  Animator animator(stage::graph(stage::base_layer(kGaits)));
  stage::set(animator, "speed=0.5");
  animator.advance(0.3);
  const auto clips = animator.clips();
  ASSERT_EQ(clips.size(), 2u);
  // A loop takes (1 + 0.5) / 2 = 0.75 s.
  EXPECT_NEAR(animator.state().normalised_time, 0.3 / 0.75, 1e-9);
  EXPECT_NEAR(clips[0].seconds, 0.4, 1e-6) << "of 1 s";
  EXPECT_NEAR(clips[1].seconds, 0.2, 1e-6) << "of 0.5 s: the same phase";
  EXPECT_NEAR(clips[0].speed, 1.0 / 0.75, 1e-6);
  EXPECT_NEAR(clips[1].speed, 0.5 / 0.75, 1e-6);
}

TEST(BlendTree, HasChildrenThatKeepTheirOwnTime) {
  Animator animator(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': {'blend': '1d', 'x': 'speed', 'children': [{'clip': "
                                     "'walk', 'at': 0}, {'clip': 'run', 'at': 1, 'synchronised': false}]}}]")));
  stage::set(animator, "speed=0.5");
  animator.advance(0.3);
  const auto clips = animator.clips();
  EXPECT_NEAR(clips[0].seconds, 0.3, 1e-6) << "alone in its time";
  EXPECT_NEAR(clips[1].seconds, 0.3, 1e-6);
  EXPECT_NEAR(animator.state().length, 1.0, 1e-6);
}

TEST(BlendTree, ScalesAndTurnsAChildsTime) {
  Animator animator(stage::graph(
      stage::base_layer("[{'name': 'a', 'motion': {'blend': '1d', 'x': 'speed', 'children': [{'clip': 'walk', 'at': 0, "
                        "'time_scale': 2}, {'clip': 'run', 'at': 1, 'time_scale': -1}]}}]")));
  stage::set(animator, "speed=0.5");
  animator.advance(0.1);
  const auto clips = animator.clips();
  EXPECT_NEAR(animator.state().length, 0.5, 1e-6) << "a second at double speed, and half a second";
  EXPECT_NEAR(clips[0].seconds, 0.2, 1e-6);
  EXPECT_NEAR(clips[1].seconds, 0.5 - 0.1, 1e-6) << "backwards";
  EXPECT_LT(clips[1].speed, 0.0);
}

TEST(BlendTree, NestsAndWeighsDirectly) {
  Animator animator(stage::graph(
      stage::base_layer("[{'name': 'a', 'motion': {'blend': 'direct', 'children': [{'clip': 'idle', 'weight': 'aim'}, "
                        "{'weight': 'speed', 'blend': 'cartesian', 'x': 'speed', 'y': 'aim', 'children':"
                        "[{'clip': 'walk', 'at': [1, 1]}, {'clip': 'run', 'at': [3, 1]}]}]}}]")));
  animator.advance(0.0);
  ASSERT_EQ(animator.clips().size(), 1u) << "nothing wanted: the first";
  EXPECT_EQ(animator.clips()[0].clip, ClipId(0));
  stage::set(animator, "speed=3 aim=1");
  animator.advance(0.0);
  ASSERT_EQ(animator.clips().size(), 2u);
  EXPECT_NEAR(animator.clips()[0].weight, 0.25, 1e-6);
  EXPECT_NEAR(animator.clips()[1].weight, 0.75, 1e-6);
  EXPECT_EQ(animator.dominant_clip()->clip, ClipId(2));
}

TEST(BlendTree, DoesNotLetAPoseWithoutLengthHurryTheOthers) {
  Animator animator(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': {'blend': '1d', 'x': 'speed', 'children': [{'clip': "
                                     "'pose', 'at': 0}, {'clip': 'walk', 'at': 1}]}}]")));
  stage::set(animator, "speed=0.5");
  animator.advance(0.5);
  EXPECT_NEAR(animator.state().length, 1.0, 1e-6);
  stage::set(animator, "speed=0");
  animator.advance(0.5);
  EXPECT_NEAR(animator.state().length, 1.0, 1e-6) << "no length at all counts as a second";
}

TEST(State, PlaysAtTheSpeedAndTimeOfParameters) {
  Animator animator(stage::graph(
      stage::base_layer("[{'name': 'a', 'motion': 'walk', 'speed': 2, 'speed_parameter': 'speed', 'cycle_offset': 0.5, "
                        "'transitions': [{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}]},"
                        "{'name': 'b', 'motion': 'walk', 'time_parameter': 'aim'}]")));
  stage::set(animator, "speed=0.5");
  animator.advance(0.25);
  EXPECT_NEAR(animator.state().normalised_time, 0.25, 1e-9);
  EXPECT_NEAR(animator.dominant_clip()->seconds, 0.75, 1e-6);
  stage::set(animator, "speed=-1");
  animator.advance(0.25);
  EXPECT_NEAR(animator.state().normalised_time, -0.25, 1e-9);
  stage::set(animator, "go! aim=0.3");
  animator.advance(5.0);
  EXPECT_NEAR(animator.dominant_clip()->seconds, 0.3, 1e-6);
  stage::set(animator, "aim=0.7");
  animator.advance(5.0);
  EXPECT_NEAR(animator.dominant_clip()->seconds, 0.7, 1e-6);
  EXPECT_EQ(stage::told(animator), "right") << "what lies between two times is met";
}

TEST(State, HoldsTheLastPoseOfAClipThatEnds) {
  Animator animator(stage::graph(stage::base_layer(
      "[{'name': 'a', 'motion': 'jump'}, {'name': 'b', 'motion': {'clip': 'jump', 'loops': true}}]")));
  animator.advance(2.5);
  EXPECT_NEAR(animator.dominant_clip()->seconds, 1.0, 1e-9);
  EXPECT_NEAR(animator.state().normalised_time, 2.5, 1e-9) << "the state's time goes on";
  ASSERT_TRUE(animator.jump_to(1));
  animator.advance(2.5);
  EXPECT_NEAR(animator.dominant_clip()->seconds, 0.5, 1e-9) << "the graph may say that it loops";
}

TEST(Animator, KeepsTheOldValueOfAParameterThatCannotBe) {
  Animator animator(stage::graph(stage::base_layer(kGaits)));
  stage::set(animator, "speed=0.5");
  EXPECT_FALSE(animator.set_float("speed", std::nanf("")));
  EXPECT_FALSE(animator.set_float("speed", std::numeric_limits<float>::infinity()));
  EXPECT_FALSE(animator.set_int("speed", 3));
  EXPECT_FALSE(animator.set_bool("count", true));
  EXPECT_FALSE(animator.set_trigger("on"));
  EXPECT_FALSE(animator.set_float(99u, 1.0f));
  EXPECT_EQ(animator.parameter(0), 0.5);
  const auto misspelled = animator.set_float("sped", 1.0f);
  ASSERT_FALSE(misspelled);
  EXPECT_NE(misspelled.error().message.find("'speed'"), std::string::npos) << misspelled.error().message;
}

TEST(Animator, GoesBackToItsBeginningAndTakesOverParameters) {
  const auto graph = stage::graph(stage::base_layer(kGaits));
  Animator one(graph), other(graph);
  stage::set(one, "speed=0.5 on=1 go!");
  ASSERT_TRUE(other.copy_parameters(one));
  other.advance(0.3);
  one.advance(0.3);
  EXPECT_EQ(one.state().normalised_time, other.state().normalised_time);
  one.reset();
  EXPECT_EQ(one.parameter(0), 0.0);
  EXPECT_EQ(one.state().normalised_time, 0.0);
  Animator stranger(stage::graph(stage::base_layer(kGaits)));
  EXPECT_FALSE(stranger.copy_parameters(one));
}

TEST(Animator, FindsTheStateOfAClip) {
  const auto graph = stage::graph(
      stage::base_layer("[{'name': 'mix', 'motion': {'blend': '1d', 'x': 'speed', 'children': [{'clip': 'walk', 'at': "
                        "0}, {'clip': 'run', 'at': 1}]}}, {'name': 'w', 'motion': 'walk'}]"));
  EXPECT_EQ(graph->state_of_clip(ClipId(1)), 1u) << "alone goes before among others";
  EXPECT_EQ(graph->state_of_clip(ClipId(2)), 0u);
  EXPECT_EQ(graph->state_of_clip(ClipId(0)), std::nullopt);
}

}  // namespace
}  // namespace throng
