// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/explain.h"

#include <gtest/gtest.h>

#include "graph_stage.h"

namespace throng {
namespace {

const std::string kStates =
    "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0.5, 'conditions': [{'parameter': "
    "'speed', 'greater': 2}, {'trigger': 'go'}]},"
    "{'to': 'b', 'exit_time': 3, 'conditions': [{'parameter': 'on', 'is': true}]}]}, {'name': 'b', 'motion': 'walk', "
    "'transitions': [{'to': 'a', 'exit_time': 0.9}]}]";

TEST(Explain, NamesWhatKeepsATransitionWithItsValue) {
  Animator animator(stage::graph(stage::base_layer(kStates)));
  stage::set(animator, "speed=1.5");
  animator.advance(0.25);
  const Explanation why = animator.explain();
  EXPECT_EQ(why.state, "a");
  ASSERT_EQ(why.transitions.size(), 2u);
  EXPECT_EQ(why.transitions[0].verdict, Verdict::waiting);
  ASSERT_EQ(why.transitions[0].reasons.size(), 2u);
  EXPECT_EQ(why.transitions[0].reasons[0], "speed > 2: it is 1.5");
  EXPECT_EQ(why.transitions[0].reasons[1], "trigger go: it is not set");
  ASSERT_EQ(why.transitions[1].reasons.size(), 2u);
  EXPECT_EQ(why.transitions[1].reasons[0], "on: it is false");
  EXPECT_EQ(why.transitions[1].reasons[1], "exit time 3: it is at 0.250");
  EXPECT_EQ(why.text(),
            "layer base: a at 0.250\n"
            "  100 %  idle at 0.250 s, speed 1.00\n"
            "  a → b: waits (speed > 2: it is 1.5; trigger go: it is not set)\n"
            "  a → b: waits (on: it is false; exit time 3: it is at 0.250)\n");
}

TEST(Explain, TellsWhatFiredAndWhatMayNotNow) {
  Animator animator(stage::graph(stage::base_layer(kStates)));
  stage::set(animator, "speed=3 go!");
  animator.advance(0.1);
  const Explanation why = animator.explain();
  EXPECT_EQ(why.next, "b");
  ASSERT_EQ(why.transitions.size(), 3u);
  EXPECT_EQ(why.transitions[0].verdict, Verdict::fired);
  EXPECT_EQ(why.transitions[0].from, "a");
  EXPECT_EQ(why.transitions[1].verdict, Verdict::not_allowed);
  EXPECT_EQ(why.transitions[2].from, "b");
  EXPECT_EQ(why.transitions[2].verdict, Verdict::not_allowed);
  EXPECT_EQ(why.clips.size(), 2u);
  animator.advance(0.1);
  EXPECT_NE(animator.explain().transitions[0].verdict, Verdict::fired) << "that was the update before";
}

TEST(Explain, NamesTheStateThatWasLeftAtOnce) {
  Animator animator(stage::graph(
      stage::base_layer("[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0, 'conditions': "
                        "[{'trigger': 'go'}]}]}, {'name': 'b', 'motion': 'walk'}]")));
  stage::set(animator, "go!");
  animator.advance(0.1);
  ASSERT_EQ(animator.explain().transitions.size(), 1u);
  EXPECT_EQ(animator.explain().transitions[0].verdict, Verdict::fired);
  EXPECT_EQ(animator.explain().transitions[0].from, "a");
  EXPECT_EQ(animator.explain().transitions[0].to, "b");
}

TEST(Explain, TellsThatItPlaysAlready) {
  Animator animator(stage::graph(stage::base_layer(
      "[{'name': 'a'}]", ", 'any': [{'to': 'a', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]")));
  stage::set(animator, "on=1");
  animator.advance(0.1);
  ASSERT_EQ(animator.explain().transitions.size(), 1u);
  EXPECT_EQ(animator.explain().transitions[0].from, "any");
  EXPECT_EQ(animator.explain().transitions[0].reasons[0], "that state plays already");
  EXPECT_TRUE(animator.explain(7).layer.empty());
}

}  // namespace
}  // namespace throng
