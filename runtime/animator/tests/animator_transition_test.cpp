// SPDX-License-Identifier: Apache-2.0
// What transitions do, as tables: a graph, then steps of "set these, advance so long, be there".

#include <gtest/gtest.h>

#include "graph_stage.h"

namespace throng {
namespace {

struct Step {
  double dt = 0.0;
  std::string set = {};
  std::string place = {};
};

struct Row {
  std::string name;
  std::string states;
  std::vector<Step> steps;
  std::string more = {};
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class AnimatorTransition : public testing::TestWithParam<Row> {};

TEST_P(AnimatorTransition, GoesWhereTheTableSays) {
  Animator animator(stage::graph(stage::base_layer(GetParam().states, GetParam().more)));
  int number = 0;
  for (const Step& step : GetParam().steps) {
    stage::set(animator, step.set);
    animator.advance(step.dt);
    EXPECT_EQ(stage::place(animator), step.place) << "after step " << number << "\n" << testing::PrintToString(step.dt);
    ++number;
  }
}

// Two states and one transition between them.
std::string two(const std::string& transition, const std::string& motion = "idle") {
  return "[{'name': 'a', 'motion': '" + motion + "', 'transitions': [" + transition +
         "]}, {'name': 'b', 'motion': 'walk'}]";
}

std::vector<Row> conditions() {
  return {
      {"FloatGreater",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'speed', 'greater': 1}]}"),
       {{0.1, "speed=1", "a"}, {0.1, "speed=1.01", "b"}}},
      {"FloatLess",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'speed', 'less': 1}]}"),
       {{0.0, "speed=1", "a"}, {0.0, "speed=0.5", "b"}}},
      {"IntEqual",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'count', 'equal': 3}]}"),
       {{0.1, "count=2", "a"}, {0.1, "count=4", "a"}, {0.1, "count=3", "b"}}},
      {"IntNotEqual",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'count', 'not_equal': 0}]}"),
       {{0.1, "", "a"}, {0.1, "count=-1", "b"}}},
      {"IntGreater",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'count', 'greater': 2}]}"),
       {{0.1, "count=2", "a"}, {0.1, "count=3", "b"}}},
      {"BoolTrue",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}"),
       {{0.1, "", "a"}, {0.1, "on=1", "b"}}},
      {"BoolFalse",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': false}]}"),
       {{0.1, "on=1", "a"}, {0.1, "on=0", "b"}}},
      {"Trigger",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}"),
       {{0.1, "", "a"}, {0.1, "go!", "b"}}},
      {"TriggerThatWasResetDoesNothing",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}"),
       {{0.1, "go! go?", "a"}}},
      {"TriggerWaitsUntilItIsUsed",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}, {'parameter': 'on', 'is': true}]}"),
       {{0.1, "go!", "a"}, {0.1, "", "a"}, {0.1, "on=1", "b"}}},
      {"AllConditionsMustHold",
       two("{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}, {'parameter': 'speed', "
           "'greater': 1}]}"),
       {{0.1, "on=1", "a"}, {0.1, "on=0 speed=2", "a"}, {0.1, "on=1", "b"}}},
      {"FirstInOrderWins",
       "[{'name': 'a', 'transitions': [{'to': 'c', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]},"
       "{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]}, {'name': 'b'}, {'name': 'c'}]",
       {{0.1, "on=1", "c"}}},
      {"EarlierInTimeWinsOverOrder",
       "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'c', 'duration': 0, 'exit_time': 0.8}, {'to': 'b', "
       "'duration': 0, 'exit_time': 0.5}]},"
       "{'name': 'b', 'motion': 'idle'}, {'name': 'c', 'motion': 'idle'}]",
       {{0.9, "", "b"}}},
  };
}

std::vector<Row> exit_times() {
  return {
      {"AtItsTime", two("{'to': 'b', 'duration': 0, 'exit_time': 0.75}"), {{0.7, "", "a"}, {0.1, "", "b"}}},
      {"ExactlyAtItsTime", two("{'to': 'b', 'duration': 0, 'exit_time': 0.5}"), {{0.25, "", "a"}, {0.25, "", "b"}}},
      {"InManySmallSteps",
       two("{'to': 'b', 'duration': 0, 'exit_time': 0.3}"),
       {{0.1, "", "a"}, {0.1, "", "a"}, {0.1, "", "b"}}},
      {"BelowOneComesBackEveryLoop",
       two("{'to': 'b', 'duration': 0, 'exit_time': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]}"),
       {{0.6, "", "a"}, {0.1, "on=1", "a"}, {0.7, "", "a"}, {0.15, "", "b"}}},
      {"FromOneOnCountsLoopsAndStays",
       two("{'to': 'b', 'duration': 0, 'exit_time': 2.5, 'conditions': [{'parameter': 'on', 'is': true}]}"),
       {{2.4, "on=1", "a"}, {0.2, "on=0", "a"}, {0.4, "", "a"}, {0.0, "on=1", "b"}}},
      {"OfAMotionThatEndsStaysPassed",
       two("{'to': 'b', 'duration': 0, 'exit_time': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]}", "jump"),
       {{0.9, "", "a"}, {3.0, "", "a"}, {0.0, "on=1", "b"}}},
      {"OfAStateWithoutMotionCountsSeconds",
       "[{'name': 'a', 'transitions': [{'to': 'b', 'duration': 0, 'exit_time': 0.5}]}, {'name': 'b'}]",
       {{0.4, "", "a"}, {0.2, "", "b"}}},
      {"OfAClipWithoutLengthCountsSeconds",
       two("{'to': 'b', 'duration': 0, 'exit_time': 1}", "pose"),
       {{0.9, "", "a"}, {0.2, "", "b"}}},
      {"Zero", two("{'to': 'b', 'duration': 0, 'exit_time': 0}"), {{0.0, "", "b"}}},
      {"IsReachedSoonerAtHigherSpeed",
       "[{'name': 'a', 'motion': 'idle', 'speed': 2, 'transitions': [{'to': 'b', 'duration': 0, 'exit_time': 0.9}]}, "
       "{'name': 'b', 'motion': 'idle'}]",
       {{0.44, "", "a"}, {0.02, "", "b"}}},
      {"BackwardsCountsFromTheEnd",
       "[{'name': 'a', 'motion': 'idle', 'speed': -1, 'transitions': [{'to': 'b', 'duration': 0, 'exit_time': 1.5}]}, "
       "{'name': 'b', 'motion': 'idle'}]",
       {{1.4, "", "a"}, {0.2, "", "b"}}},
      {"BackwardsBelowOneIsCountedFromTheEndToo",
       "[{'name': 'a', 'motion': 'jump', 'speed': -1, 'transitions': [{'to': 'b', 'duration': 0, 'exit_time': 0.9}]}, "
       "{'name': 'b', 'motion': 'idle'}]",
       {{0.8, "", "a"}, {0.15, "", "b"}}},
      {"StandsStillWithTheState",
       "[{'name': 'a', 'motion': 'idle', 'speed_parameter': 'speed', 'transitions': [{'to': 'b', 'duration': 0, "
       "'exit_time': 0.5}]}, {'name': 'b', 'motion': 'idle'}]",
       {{0.4, "speed=1", "a"}, {9.0, "speed=0", "a"}, {0.2, "speed=1", "b"}}},
      {"PausedPastItDoesNotFire",
       "[{'name': 'a', 'motion': 'idle', 'speed_parameter': 'speed', 'transitions': [{'to': 'b', 'duration': 0, "
       "'exit_time': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]}]},"
       "{'name': 'b', 'motion': 'idle'}]",
       {{0.7, "speed=1", "a"}, {9.0, "speed=0 on=1", "a"}}},
      {"ThatWasPassedInTheFadeWaitsForTheNextLoop",
       "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0.5, 'conditions': [{'trigger': "
       "'go'}]}]},"
       "{'name': 'b', 'motion': 'idle', 'transitions': [{'to': 'a', 'duration': 0, 'exit_time': 0.25}]}]",
       {{0.1, "go!", "a>b"}, {0.5, "", "b"}, {0.6, "", "b"}, {0.1, "", "a"}}},
      {"OneLongStepIsManyShortOnes",
       "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0.2, 'exit_time': 1}]},"
       "{'name': 'b', 'motion': 'walk', 'transitions': [{'to': 'c', 'duration': 0.2, 'exit_time': 1}]}, {'name': 'c', "
       "'motion': 'run'}]",
       {{2.1, "", "b>c"}, {0.2, "", "c"}}},
  };
}

std::vector<Row> durations() {
  return {
      {"InSeconds",
       two("{'to': 'b', 'duration': 0.5, 'conditions': [{'trigger': 'go'}]}"),
       {{0.4, "go!", "a>b"}, {0.2, "", "b"}}},
      {"NormalisedIsOfTheSource",
       "[{'name': 'a', 'motion': 'wave', 'transitions': [{'to': 'b', 'duration': 0.5, 'normalised_duration': true, "
       "'conditions': [{'trigger': 'go'}]}]}, {'name': 'b', 'motion': 'run'}]",
       {{0.9, "go!", "a>b"}, {0.2, "", "b"}}},
      {"NormalisedFollowsTheSourcesSpeed",
       "[{'name': 'a', 'motion': 'wave', 'speed': 4, 'transitions': [{'to': 'b', 'duration': 0.5, "
       "'normalised_duration': true, 'conditions': [{'trigger': 'go'}]}]}, {'name': 'b', 'motion': 'run'}]",
       {{0.2, "go!", "a>b"}, {0.1, "", "b"}}},
      {"None", two("{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}"), {{0.0, "go!", "b"}}},
      {"ToItself",
       "[{'name': 'a', 'motion': 'walk', 'transitions': [{'to': 'a', 'duration': 0.5, 'conditions': [{'trigger': "
       "'go'}]}]}]",
       {{0.3, "", "a"}, {0.1, "go!", "a>a"}, {0.5, "", "a"}}},
  };
}

// a → b takes a second; c and d are where interruptions go.
std::string fade(const std::string& how, const std::string& of_b = "", const std::string& before = "") {
  return "[{'name': 'a', 'motion': 'idle', 'transitions': [" + before +
         "{'to': 'b', 'duration': 1, 'conditions': [{'trigger': 'go'}]" + how +
         "}, {'to': 'c', 'duration': 0.5, 'conditions': [{'trigger': 'stop'}]}]}, {'name': 'b', 'motion': 'walk', "
         "'transitions': [" +
         of_b + "]}, {'name': 'c', 'motion': 'run'}, {'name': 'd', 'motion': 'nod'}]";
}
const std::string kToD = "{'to': 'd', 'duration': 0.5, 'conditions': [{'trigger': 'stop'}]}";
const std::string kOnToD = "{'to': 'd', 'duration': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]},";

std::vector<Row> interruptions() {
  return {
      {"NoneIsNotBrokenOff", fade(""), {{0.2, "go!", "a>b"}, {0.2, "stop!", "a>b"}, {0.7, "", "b"}}},
      {"SourceAfterItInOrderDoesNot", fade(", 'interruption': 'source'"), {{0.2, "go!", "a>b"}, {0.2, "stop!", "a>b"}}},
      {"SourceAfterItWithoutOrderDoes",
       fade(", 'interruption': 'source', 'ordered': false"),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a~c"}, {0.4, "", "c"}}},
      {"SourceBeforeItInOrderDoes",
       fade(", 'interruption': 'source'", "", kOnToD),
       {{0.2, "go!", "a>b"}, {0.2, "on=1", "a~d"}, {0.4, "", "d"}}},
      {"SourceOnlyIgnoresTheDestinations",
       fade(", 'interruption': 'source'", kToD),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a>b"}}},
      {"DestinationBreaksOff",
       fade(", 'interruption': 'destination'", kToD),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "b~d"}, {0.4, "", "d"}}},
      {"DestinationIgnoresTheSources",
       fade(", 'interruption': 'destination'", "", kOnToD),
       {{0.2, "go!", "a>b"}, {0.2, "on=1", "a>b"}}},
      {"SourceThenDestinationPrefersTheSource",
       fade(", 'interruption': 'source_then_destination', 'ordered': false", kToD),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a~c"}}},
      {"SourceThenDestinationInOrderGoesOnToTheDestination",
       fade(", 'interruption': 'source_then_destination'", kToD),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "b~d"}}},
      {"DestinationThenSourceKeepsTheSourcesOrder",
       fade(", 'interruption': 'destination_then_source'"),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a>b"}}},
      {"DestinationBreaksOffWhatCameFromAnyState",
       fade("", kToD),
       {{0.2, "on=1", "a>b"}, {0.2, "on=0 stop!", "b~d"}},
       ", 'any': [{'to': 'b', 'duration': 1, 'interruption': 'destination', 'conditions': [{'parameter': 'on', 'is': "
       "true}]}]"},
      {"DestinationThenSourcePrefersTheDestination",
       fade(", 'interruption': 'destination_then_source', 'ordered': false", kToD),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "b~d"}}},
      {"DestinationThenSourceFallsBackToTheSource",
       fade(", 'interruption': 'destination_then_source', 'ordered': false"),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a~c"}}},
      {"AnyStateAlwaysDoes",
       fade(""),
       {{0.2, "go!", "a>b"}, {0.2, "on=1", "a~d"}, {0.4, "", "d"}},
       ", 'any': [{'to': 'd', 'duration': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]}]"},
      {"ABrokenOffOneCanBeBrokenOffAgain",
       fade(", 'interruption': 'source', 'ordered': false"),
       {{0.2, "go!", "a>b"}, {0.2, "stop!", "a~c"}, {0.1, "on=1", "a~d"}, {0.5, "", "d"}},
       ", 'any': [{'to': 'd', 'duration': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]}]"},
  };
}

std::vector<Row> any_states() {
  const std::string states = "[{'name': 'a', 'motion': 'idle'}, {'name': 'b', 'motion': 'walk'}]";
  const auto any = [](const std::string& more) {
    return ", 'any': [{'to': 'b', 'duration': 0.5, 'conditions': [{'parameter': 'on', 'is': true}]" + more + "}]";
  };
  return {
      {"ComesFromAnywhereOnce", states, {{0.1, "on=1", "a>b"}, {0.5, "", "b"}, {1.0, "", "b"}}, any("")},
      {"ToItselfOnlyWhenAsked", states, {{0.1, "on=1", "a>b"}, {0.5, "", "b>b"}}, any(", 'to_self': true")},
      {"IsTriedBeforeTheStatesOwn",
       "[{'name': 'a', 'transitions': [{'to': 'c', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]}, "
       "{'name': 'b'}, {'name': 'c'}]",
       {{0.1, "on=1", "a>b"}},
       any("")},
  };
}

std::vector<Row> machines() {
  const std::string top =
      "[{'name': 'a', 'transitions': [{'to': 'm', 'duration': 0, 'conditions': [{'trigger': 'go'}]}]}, {'name': 'z'}]";
  const auto machine = [](const std::string& more, const std::string& in_x) {
    return ", 'machines': [{'name': 'm'" + more + ", 'states': [{'name': 'x', 'transitions': [" + in_x +
           "]}, {'name': 'y'}]}]";
  };
  const std::string leave = "{'to': 'exit', 'duration': 0, 'conditions': [{'trigger': 'stop'}]}";
  return {
      {"AreEnteredAtTheirFirstState", top, {{0.1, "go!", "m/x"}}, machine("", "")},
      {"AreEnteredAtTheirInitialState", top, {{0.1, "go!", "m/y"}}, machine(", 'initial': 'y'", "")},
      {"AreEnteredByTheFirstEntryThatHolds",
       top,
       {{0.1, "go! on=1", "m/y"}},
       machine(", 'entry': [{'to': 'x', 'conditions': [{'parameter': 'count', 'greater': 0}]}, {'to': 'y', "
               "'conditions': [{'parameter': 'on', 'is': true}]}]",
               "")},
      {"FallBackToTheirInitialState",
       top,
       {{0.1, "go!", "m/x"}},
       machine(", 'entry': [{'to': 'y', 'conditions': [{'parameter': 'on', 'is': true}]}]", "")},
      {"AreLeftToTheParentsEntry", top, {{0.1, "go!", "m/x"}, {0.1, "stop!", "a"}}, machine("", leave)},
      {"AreLeftByTheFirstWayOutThatHolds",
       top,
       {{0.1, "go!", "m/x"}, {0.1, "stop! on=1", "z"}},
       machine(", 'exit': [{'to': 'a', 'conditions': [{'parameter': 'on', 'is': false}]}, {'to': 'z'}]", leave)},
      {"AreReachedInsideFromOutside",
       "[{'name': 'a', 'transitions': [{'to': 'm/y', 'duration': 0, 'conditions': [{'trigger': 'go'}]}]}]",
       {{0.1, "go!", "m/y"}},
       machine("", "")},
      {"AreLeftByAPathFromTheTop",
       top,
       {{0.1, "go!", "m/x"}, {0.1, "stop!", "z"}},
       machine("", "{'to': '/z', 'duration': 0, 'conditions': [{'trigger': 'stop'}]}")},
      {"HaveAnyStatesOfTheirOwn",
       top,
       {{0.1, "on=1", "a"}, {0.1, "go!", "m/y"}},
       machine(", 'any': [{'to': 'y', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]", "")},
      {"OfALayerAreEnteredAnewWhenLeft",
       "[{'name': 'a', 'transitions': [{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}]},"
       "{'name': 'b', 'transitions': [{'to': 'exit', 'duration': 0, 'conditions': [{'trigger': 'stop'}]}]}]",
       {{0.1, "go!", "b"}, {0.1, "stop!", "a"}}},
  };
}

std::string name_of(const testing::TestParamInfo<Row>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Condition, AnimatorTransition, testing::ValuesIn(conditions()), name_of);
INSTANTIATE_TEST_SUITE_P(ExitTime, AnimatorTransition, testing::ValuesIn(exit_times()), name_of);
INSTANTIATE_TEST_SUITE_P(Duration, AnimatorTransition, testing::ValuesIn(durations()), name_of);
INSTANTIATE_TEST_SUITE_P(Interruption, AnimatorTransition, testing::ValuesIn(interruptions()), name_of);
INSTANTIATE_TEST_SUITE_P(AnyState, AnimatorTransition, testing::ValuesIn(any_states()), name_of);
INSTANTIATE_TEST_SUITE_P(Machine, AnimatorTransition, testing::ValuesIn(machines()), name_of);

TEST(Animator, UsesATriggerOnceAndOnlyTheOneThatIsTaken) {
  Animator animator(stage::graph(stage::base_layer(
      "[{'name': 'a', 'transitions': [{'to': 'b', 'duration': 0, 'conditions': [{'trigger': 'go'}]}]},"
      "{'name': 'b', 'transitions': [{'to': 'a', 'duration': 0, 'conditions': [{'trigger': 'go'}, {'trigger': "
      "'stop'}]}]}]")));
  stage::set(animator, "go!");
  animator.advance(0.1);
  EXPECT_EQ(stage::place(animator), "b");
  EXPECT_EQ(animator.parameter(animator.graph().find_parameter("go").value()), 0.0);
  stage::set(animator, "go!");
  animator.advance(0.1);
  EXPECT_EQ(stage::place(animator), "b");
  EXPECT_EQ(animator.parameter(animator.graph().find_parameter("go").value()), 1.0) << "not used, so it stays";
}

TEST(Animator, BeginsTheDestinationAtItsOffset) {
  Animator animator(stage::graph(
      stage::base_layer(two("{'to': 'b', 'duration': 0.5, 'offset': 0.25, 'conditions': [{'trigger': 'go'}]}"))));
  stage::set(animator, "go!");
  animator.advance(0.1);
  EXPECT_NEAR(animator.state().next_normalised_time, 0.35, 1e-12);
  EXPECT_NEAR(animator.state().progress, 0.2, 1e-12);
}

TEST(Animator, StopsCountingChangesThatChaseEachOther) {
  Animator animator(stage::graph(stage::base_layer(
      "[{'name': 'a', 'transitions': [{'to': 'b', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]},"
      "{'name': 'b', 'transitions': [{'to': 'a', 'duration': 0, 'conditions': [{'parameter': 'on', 'is': true}]}]}]")));
  stage::set(animator, "on=1");
  animator.advance(0.1);
  EXPECT_EQ(animator.signals().size(), 2u * Animator::kMaxChanges + 1u)
      << "an enter and an exit each, and the first state's enter";
  EXPECT_NEAR(animator.state().normalised_time, 0.1, 1e-12) << "time goes on all the same";
}

TEST(Animator, EndsAlikeForAnyStep) {
  const auto graph = stage::graph(stage::base_layer(
      "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0.3, 'exit_time': 0.7}]},"
      "{'name': 'b', 'motion': 'walk', 'transitions': [{'to': 'c', 'duration': 0.2, 'exit_time': 1.1}]},"
      "{'name': 'c', 'motion': 'run', 'transitions': [{'to': 'a', 'duration': 0.1, 'exit_time': 2}]}]"));
  Animator once(graph), often(graph);
  once.advance(5.0);
  for (int i = 0; i < 500; ++i) often.advance(0.01);
  EXPECT_EQ(stage::place(once), stage::place(often));
  EXPECT_NEAR(once.state().normalised_time, often.state().normalised_time, 1e-9);
}

TEST(Animator, TakesStepsThatMakeNoSenseForNone) {
  Animator animator(stage::graph(stage::base_layer(two("{'to': 'b', 'exit_time': 0.9}"))));
  for (const double dt : {-1.0, std::nan(""), -std::numeric_limits<double>::infinity()}) {
    animator.advance(dt);
    EXPECT_EQ(animator.state().normalised_time, 0.0);
  }
  animator.advance(std::numeric_limits<double>::infinity());
  EXPECT_EQ(stage::place(animator), "b");
  EXPECT_TRUE(std::isfinite(animator.state().normalised_time));
  EXPECT_LE(animator.signals().size(), 2u * Animator::kMaxStepEvents);
}

TEST(Animator, JumpsAndFadesWhereItIsTold) {
  const auto graph = stage::graph(stage::base_layer(two("{'to': 'b', 'exit_time': 0.9}")));
  Animator animator(graph);
  const std::uint32_t b = graph->find_state("b").value();
  ASSERT_TRUE(animator.jump_to(b, 0.5));
  EXPECT_EQ(stage::place(animator), "b");
  EXPECT_EQ(animator.state().normalised_time, 0.5);
  animator.advance(0.0);
  EXPECT_EQ(stage::told(animator, false, true), "+a +b -a");
  ASSERT_TRUE(animator.cross_fade(graph->find_state("a").value(), 0.5));
  animator.advance(0.25);
  EXPECT_EQ(stage::place(animator), "b>a");
  EXPECT_FALSE(animator.jump_to(9));
  EXPECT_FALSE(animator.jump_to(b, std::nan("")));
  EXPECT_FALSE(animator.cross_fade(b, -1.0));
  EXPECT_FALSE(animator.jump_to(b, 0.0, 3));
}

}  // namespace
}  // namespace throng
