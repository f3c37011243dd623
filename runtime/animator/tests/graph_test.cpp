// SPDX-License-Identifier: Apache-2.0
// What graphs are refused for, and how files are read and written.

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "graph_stage.h"
#include "paths.h"

namespace throng {
namespace {

struct Refused {
  std::string name;
  std::string json;
  std::string begins;
  std::string has;
};

void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class GraphRefusal : public testing::TestWithParam<Refused> {};

TEST_P(GraphRefusal, SaysWhereAndWhy) {
  const auto made = stage::try_graph(GetParam().json);
  ASSERT_FALSE(made);
  const std::string& message = made.error().message;
  EXPECT_TRUE(message.starts_with(GetParam().begins)) << message;
  EXPECT_NE(message.find(GetParam().has), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "one line: " << message;
}

std::string states(const std::string& list, const std::string& more = "") { return stage::base_layer(list, more); }
std::string motion(const std::string& text) { return states("[{'name': 'a'}, {'name': 'b', 'motion': " + text + "}]"); }
std::string transition(const std::string& text) {
  return states("[{'name': 'a', 'transitions': [" + text + "]}, {'name': 'b'}]");
}
std::string second_layer(const std::string& text) {
  return "{'layers': [{'name': 'base', 'states': [{'name': 'a', 'motion': 'walk'}]}, {" + text + "}]}";
}

std::vector<Refused> files() {
  return {
      {"NotJson", "{'layers': [", "graph.json: not valid JSON at line 1, column 13: ", "unexpected end"},
      {"Empty", "", "graph.json: the file is empty", "docs/animator.md"},
      {"NotAnObject", "[]", "graph.json: /: ", "not an object"},
      {"UnknownKey", "{'layer': []}", "graph.json: /: ", "'layers'"},
      {"UnknownKeyInside", states("[{'name': 'a', 'sped': 2}]"), "graph.json: /layers/0/states/0: ", "'speed'"},
      {"KeyTwice", "{'name': 'a', 'name': 'b', 'layers': []}", "graph.json: ", "'name' twice"},
      {"WrongType", states("[{'name': 'a', 'speed': 'fast'}]"),
       "graph.json: /layers/0/states/0/speed: ", "not a number"},
      {"NameThatIsNumber", states("[{'name': 4}]"), "graph.json: /layers/0/states/0/name: ", "not a text"},
      {"ListThatIsNone", states("{}"), "graph.json: /layers/0/states: ", "not a list"},
      {"TooLargeForAFloat", states("[{'name': 'a', 'speed': 1e300}]"),
       "graph.json: /layers/0/states/0/speed: ", "too large"},
      {"UnknownWord", transition("{'to': 'b', 'exit_time': 1, 'interruption': 'never'}"),
       "graph.json: /layers/0/states/0/transitions/0/interruption: ", "'source'"},
      {"ClipAndTree", motion("{'clip': 'walk', 'blend': '1d'}"), "graph.json: /layers/0/states/1/motion: ", "not both"},
      {"MotionOfNothing", motion("{}"), "graph.json: /layers/0/states/1/motion: ", "'clip' or 'blend'"},
      {"TwoComparisons", transition("{'to': 'b', 'conditions': [{'parameter': 'speed', 'greater': 1, 'less': 2}]}"),
       "graph.json: /layers/0/states/0/transitions/0/conditions/0: ", "one of"},
      {"NegativeFalloff",
       second_layer("'name': 't', 'mask': [{'bone': 'arm', 'falloff': -1}], 'states': [{'name': 'a'}]"),
       "graph.json: /layers/1/mask/0/falloff: ", "whole number"},
      {"MachinesTooDeep",
       [] {
         std::string text = "{'layers': [{'name': 'base'";
         for (int i = 0; i < 40; ++i) text += ", 'machines': [{'name': 'm'";
         text += ", 'states': [{'name': 'a'}]";
         for (int i = 0; i < 40; ++i) text += "}]";
         return text + "}]}";
       }(),
       "graph.json: /layers/0/machines/0/machines/0", "deeper"},
      {"TreesTooDeep",
       [] {
         std::string text, end;
         for (int i = 0; i < 40; ++i, end += "]}") text += "{'blend': '1d', 'x': 'speed', 'children': [";
         return motion(text + "'walk'" + end);
       }(),
       "graph.json: /layers/0/states/1/motion/children/0", "deeper"},
  };
}

std::vector<Refused> graphs() {
  const std::string at_clip = "/layers/0/states/1/motion: ";
  const std::string at_transition = "/layers/0/states/0/transitions/0";
  return {
      {"NoLayer", "{}", "/layers: ", "needs a layer"},
      {"NoState", "{'layers': [{'name': 'base'}]}", "/layers/0/states: ", "needs a state"},
      {"ParameterTwice", "{'parameters': [{'name': 'p', 'type': 'int'}, {'name': 'p', 'type': 'int'}]}",
       "/parameters/1/name: ", "already"},
      {"ParameterWithoutName", "{'parameters': [{'type': 'int'}]}", "/parameters/0/name: ", "needs a name"},
      {"IntThatIsNone", "{'parameters': [{'name': 'p', 'type': 'int', 'initial': 0.5}]}",
       "/parameters/0/initial: ", "0.5"},
      {"MissingClip", motion("'walc'"), at_clip, "'walk'"},
      {"MissingClipInTree", motion("{'blend': '1d', 'x': 'speed', 'children': ['walk', 'ruin']}"),
       "/layers/0/states/1/motion/children/1: ", "'run'"},
      {"TreeWithoutChildren", motion("{'blend': '1d', 'x': 'speed'}"),
       "/layers/0/states/1/motion/children: ", "needs a child"},
      {"TreeWithoutParameter", motion("{'blend': '1d', 'children': ['walk']}"),
       "/layers/0/states/1/motion/x: ", "parameter"},
      {"TreeWithAnInt", motion("{'blend': '1d', 'x': 'count', 'children': ['walk']}"),
       "/layers/0/states/1/motion/x: ", "not a float"},
      {"TreeInTwoWithOne", motion("{'blend': 'cartesian', 'x': 'speed', 'children': ['walk']}"),
       "/layers/0/states/1/motion/y: ", "second"},
      {"DirectWithoutWeight", motion("{'blend': 'direct', 'children': ['walk']}"),
       "/layers/0/states/1/motion/children/0/weight: ", "weight"},
      {"TimeScaleOfNothing", motion("{'blend': '1d', 'x': 'speed', 'children': [{'clip': 'walk', 'time_scale': 0}]}"),
       "/layers/0/states/1/motion/children/0/time_scale: ", "other than 0"},
      {"StateTwice", states("[{'name': 'a'}, {'name': 'a'}]"), "/layers/0/states/1/name: ", "'a' already"},
      {"StateLikeAMachine", states("[{'name': 'a'}]", ", 'machines': [{'name': 'a', 'states': [{'name': 'x'}]}]"),
       "/layers/0/machines/0/name: ", "already"},
      {"StateNamedExit", states("[{'name': 'exit'}]"), "/layers/0/states/0/name: ", "way out"},
      {"StateWithASlash", states("[{'name': 'a/b'}]"), "/layers/0/states/0/name: ", "'/'"},
      {"EmptyMachine", states("[{'name': 'a'}]", ", 'machines': [{'name': 'm'}]"),
       "/layers/0/machines/0/states: ", "needs a state"},
      {"InitialOutside",
       states("[{'name': 'a'}]", ", 'machines': [{'name': 'm', 'initial': '/a', 'states': [{'name': 'x'}]}]"),
       "/layers/0/machines/0/initial: ", "inside"},
      {"MissingTarget", transition("{'to': 'bb', 'exit_time': 1}"), at_transition + "/to: ", "'/b'"},
      {"TransitionThatAlwaysHolds", transition("{'to': 'b'}"), at_transition + ": ", "condition or an exit time"},
      {"NegativeDuration", transition("{'to': 'b', 'exit_time': 1, 'duration': -1}"),
       at_transition + "/duration: ", "-1"},
      {"NegativeExitTime", transition("{'to': 'b', 'exit_time': -1}"), at_transition + "/exit_time: ", "0 or more"},
      {"MissingParameter", transition("{'to': 'b', 'conditions': [{'parameter': 'sped', 'greater': 1}]}"),
       at_transition + "/conditions/0: ", "'speed'"},
      {"FloatThatEquals", transition("{'to': 'b', 'conditions': [{'parameter': 'speed', 'equal': 1}]}"),
       at_transition + "/conditions/0: ", "greater or less"},
      {"BoolAsTrigger", transition("{'to': 'b', 'conditions': [{'trigger': 'on'}]}"),
       at_transition + "/conditions/0: ", "cannot"},
      {"FirstLayerThatAdds", "{'layers': [{'name': 'base', 'kind': 'additive', 'states': [{'name': 'a'}]}]}",
       "/layers/0: ", "first layer"},
      {"LayerTwice", second_layer("'name': 'base', 'states': [{'name': 'a'}]"), "/layers/1/name: ", "already"},
      {"LayerTooHeavy", second_layer("'name': 't', 'weight': 2, 'states': [{'name': 'a'}]"),
       "/layers/1/weight: ", "0 … 1"},
      {"MissingBone", second_layer("'name': 't', 'mask': [{'bone': 'amr'}], 'states': [{'name': 'a'}]"),
       "/layers/1/mask/0/bone: ", "'arm'"},
      {"FollowsNobody", second_layer("'name': 't', 'synchronised_with': 'bass'"),
       "/layers/1/synchronised_with: ", "'bass'"},
      {"FollowsWithStates", second_layer("'name': 't', 'synchronised_with': 'base', 'states': [{'name': 'a'}]"),
       "/layers/1: ", "no states of its own"},
      {"FollowerOfAMissingState",
       second_layer("'name': 't', 'synchronised_with': 'base', 'motions': [{'state': 'q', 'motion': 'walk'}]"),
       "/layers/1/motions/0/state: ", "'a'"},
      {"ReferenceOfAnOverride", second_layer("'name': 't', 'reference_clip': 'walk', 'states': [{'name': 'a'}]"),
       "/layers/1/reference_clip: ", "additive"},
  };
}

std::string name_of(const testing::TestParamInfo<Refused>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(File, GraphRefusal, testing::ValuesIn(files()), name_of);
INSTANTIATE_TEST_SUITE_P(Graph, GraphRefusal, testing::ValuesIn(graphs()), name_of);

// Everything a file can say, once.
const std::string kFull = R"({
  "name": "full",
  "parameters": [{"name": "speed", "type": "float", "initial": 0.5}, {"name": "side", "type": "float"}, {"name": "count", "type": "int", "initial": -3},
                 {"name": "on", "type": "bool", "initial": true}, {"name": "go", "type": "trigger"}],
  "layers": [
    {"name": "base", "initial": "move", "entry": [{"to": "rest", "conditions": [{"parameter": "on", "is": false}]}],
     "any": [{"to": "fall", "conditions": [{"trigger": "go"}], "duration": 0.1, "to_self": true}],
     "states": [
       {"name": "rest", "motion": "idle", "cycle_offset": 0.25, "transitions": [{"to": "move", "conditions": [{"parameter": "speed", "greater": 0.1}], "interruption": "source_then_destination", "ordered": false}]},
       {"name": "fall", "motion": {"clip": "jump", "loops": false}, "speed": -1.5, "time_parameter": "speed", "transitions": [{"to": "exit", "exit_time": 0.9, "duration": 0.3, "normalised_duration": true, "offset": 0.2}]}],
     "machines": [{"name": "move", "exit": [{"to": "rest", "conditions": [{"parameter": "count", "not_equal": 2}]}], "states": [
       {"name": "go", "speed_parameter": "speed", "motion": {"blend": "directional", "x": "side", "y": "speed", "children": [
         {"clip": "idle"}, {"clip": "walk", "at": [0, 1]}, {"blend": "direct", "at": [1, 0], "children": [{"clip": "run", "weight": "speed", "time_scale": -2, "synchronised": false}]}]}}]}]},
    {"name": "arms", "weight": 0.75, "mask": [{"bone": "arm", "weight": 0.5, "falloff": 1}, {"bone": "hand", "descendants": false}], "synchronised_with": "base", "own_timing": true,
     "motions": [{"state": "move/go", "motion": "wave"}]},
    {"name": "nods", "kind": "additive", "reference_clip": "idle", "reference_time": 0.5, "states": [{"name": "nod", "motion": {"blend": "1d", "x": "speed", "children": [{"clip": "nod", "at": 1}]}}]}]
})";

TEST(GraphJson, IsWrittenAsItWasRead) {
  const auto first = parse_graph(kFull, "full.json");
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(build_graph(*first, stage::rig())) << build_graph(*first, stage::rig()).error().message;
  const std::string text = to_json(*first);
  const auto second = parse_graph(text, "again.json");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(to_json(*second), text);
  // What was said is there, in the draft that was read back.
  const MachineDraft& machine = second->layers[0].machine;
  EXPECT_EQ(second->parameters[2].initial, -3.0);
  EXPECT_EQ(machine.entry[0].conditions[0].comparison, Comparison::is_false);
  EXPECT_TRUE(machine.any[0].to_self);
  EXPECT_EQ(machine.states[0].transitions[0].interruption, Interruption::source_then_destination);
  EXPECT_FALSE(machine.states[0].transitions[0].ordered);
  EXPECT_EQ(machine.states[1].motion.loops, false);
  EXPECT_EQ(machine.states[1].transitions[0].exit_time, 0.9f);
  EXPECT_TRUE(machine.states[1].transitions[0].normalised_duration);
  EXPECT_EQ(machine.machines[0].exit[0].conditions[0].value, 2.0);
  const MotionDraft& tree = machine.machines[0].states[0].motion;
  EXPECT_EQ(tree.kind, MotionKind::directional);
  EXPECT_EQ(tree.children[1].at, glm::vec2(0, 1));
  EXPECT_EQ(tree.children[2].children[0].time_scale, -2.0f);
  EXPECT_FALSE(tree.children[2].children[0].synchronised);
  EXPECT_EQ(second->layers[1].mask[0].falloff, 1u);
  EXPECT_TRUE(second->layers[1].own_timing);
  EXPECT_EQ(second->layers[2].reference_time, 0.5f);
}

// Read what can be read, refuse the rest, never fall over.
void digest(const std::string& text) {
  auto draft = parse_graph(text, "broken.json");
  if (!draft) return;
  auto graph = build_graph(*draft, stage::rig());
  if (!graph) return;
  Animator animator(*graph);
  animator.advance(0.7);
  animator.pose();
}

TEST(GraphJson, SurvivesEveryTruncation) {
  for (std::size_t length = 0; length < kFull.size(); ++length) {
    EXPECT_FALSE(parse_graph(std::string_view(kFull).substr(0, length), "cut.json")) << length;
  }
}

TEST(GraphJson, SurvivesBrokenBytes) {
  std::mt19937 random(5);
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = kFull;
    for (int k = 0; k < 1 + i % 3; ++k)
      text[random() % text.size()] = static_cast<char>(i % 2 == 0 ? 32 + random() % 96 : random() % 256);
    read += parse_graph(text, "broken.json").has_value() ? 1 : 0;
    digest(text);
  }
  EXPECT_GT(read, 50) << "some are still graphs, and those are played";
}

TEST(GraphJson, IsWhatTheSchemaNames) {
  std::ifstream file(test::source_folder() / "docs/animator-graph.schema.json");
  ASSERT_TRUE(file) << "the schema is part of the documentation";
  const std::string schema((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const char* key : {"parameters",     "layers",
                          "initial",        "entry",
                          "exit",           "any",
                          "states",         "machines",
                          "motion",         "speed_parameter",
                          "time_parameter", "cycle_offset",
                          "transitions",    "conditions",
                          "exit_time",      "normalised_duration",
                          "offset",         "interruption",
                          "ordered",        "to_self",
                          "blend",          "children",
                          "time_scale",     "synchronised",
                          "mask",           "falloff",
                          "descendants",    "reference_clip",
                          "reference_time", "synchronised_with",
                          "own_timing",     "motions",
                          "not_equal",      "trigger"}) {
    EXPECT_NE(schema.find(fmt::format("\"{}\"", key)), std::string::npos) << key;
  }
}

TEST(Graph, HoldsAHundredThousandStates) {
  GraphDraft draft;
  draft.parameters = {{.name = "on", .type = ParameterType::boolean}};
  LayerDraft& layer = draft.layers.emplace_back();
  layer.name = "base";
  for (int i = 0; i < 100'000; ++i) {
    StateDraft& state = layer.machine.states.emplace_back();
    state.name = fmt::format("s{}", i);
    TransitionDraft& way = state.transitions.emplace_back();
    way.to = fmt::format("s{}", (i + 1) % 100'000);
    way.exit_time = 1.0f;
    way.duration = 0.0f;
  }
  const auto graph = build_graph(std::move(draft), stage::rig());
  ASSERT_TRUE(graph) << graph.error().message;
  Animator animator(*graph);
  for (int i = 0; i < 100; ++i) animator.advance(10.0);
  EXPECT_EQ(stage::place(animator), "s1000");
}

TEST(Graph, IsFoundByPathAndName) {
  const auto graph = build_graph(parse_graph(kFull, "full.json").value(), stage::rig()).value();
  EXPECT_EQ(graph->layer_count(), 3u);
  EXPECT_EQ(graph->state_path(graph->find_state("move/go").value()), "move/go");
  EXPECT_EQ(graph->find_layer("nods").value(), 2u);
  const auto missing = graph->find_state("move/gone");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("'move/go'"), std::string::npos) << missing.error().message;
  EXPECT_FALSE(graph->find_layer("nod"));
  EXPECT_FALSE(graph->find_state("rest", 9));
  EXPECT_FALSE(build_graph({}, nullptr));
}

}  // namespace
}  // namespace throng
