// SPDX-License-Identifier: Apache-2.0
// Events and loop flags from a file beside the model; anything wrong in it is named by its place.

#include <fmt/format.h>

#include "gltf/gltf_builder.h"
#include "shared_files.h"
#include "throng/import/side_file.h"

namespace throng::test {
namespace {

// "walk" from 0.5 s to 1.5 s with an event of its own, "pose" of no length, and two clips named "a/b~c".
Imported walker() {
  ModelDraft draft;
  draft.bones = {{"root", std::nullopt, {}}};
  Clip walk;
  walk.name = "walk";
  walk.start = 0.5;
  walk.end = 1.5;
  walk.events = {{1.0, "own"}};
  Clip pose;
  pose.name = "pose";
  pose.start = pose.end = 2.0;
  Clip odd = walk;
  odd.name = "a/b~c";
  odd.events.clear();
  draft.clips = {walk, pose, odd, odd};
  return {*build_model(std::move(draft)), {"a note"}, {.normals_fixed = 3}};
}

Result<Imported> with_file(const std::string& text) {
  return add_side_file(walker(), ScratchFolder().write("events.json", text));
}

TEST(SideFile, EventsCountFromTheClipsStartInSecondsOrFrames) {
  const auto imported = with_file(R"({"walk": {"loops": true, "events": [
      {"time": 0.75, "name": "right foot"}, {"frame": 6, "fps": 24, "name": "left foot"},
      {"frame": 30, "fps": 30, "name": "end"}, {"time": 0, "name": "start"}]}})");
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = imported->model.clips()[0];
  EXPECT_EQ(clip.loops, true);
  const std::pair<double, const char*> expected[] = {
      {0.5, "start"}, {0.75, "left foot"}, {1.0, "own"}, {1.25, "right foot"}, {1.5, "end"}};
  ASSERT_EQ(clip.events.size(), std::size(expected));
  for (std::size_t i = 0; i < clip.events.size(); ++i) {
    EXPECT_DOUBLE_EQ(clip.events[i].time, expected[i].first);
    EXPECT_EQ(clip.events[i].name, expected[i].second);
  }
  EXPECT_EQ(imported->notes, std::vector<std::string>{"a note"});
  EXPECT_EQ(imported->repairs.normals_fixed, 3u);
}

TEST(SideFile, APatternMeansAllClipsThatMatchIt) {
  const auto imported = with_file(R"({"*a*": {"loops": true}})");
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& clips = imported->model.clips();
  EXPECT_EQ(clips[0].loops, true);
  EXPECT_EQ(clips[1].loops, std::nullopt) << "'pose' does not match";
  EXPECT_EQ(clips[2].loops, true);
  EXPECT_EQ(clips[3].loops, true);
}

TEST(SideFile, GroupsArePassedOnAsTheBakeTakesThem) {
  const auto imported = with_file(R"({"walk": {"loops": true}, "$groups": {
      "shield": {"parts": ["*_Shield*", "Buckler"], "optional": true}, "weapon": {"parts": ["Sword"]}}})");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->groups, (std::vector<std::string>{"shield?=*_Shield*|Buckler", "weapon=Sword"}));
  EXPECT_EQ(imported->model.clips()[0].loops, true);
  for (const auto& [text, words] :
       {std::pair(R"({"$groups": []})", "/$groups: it is not an object"),
        {R"({"$groups": {"a": {"parts": []}}})", "/$groups/a/parts: it is not a list of names"},
        {R"({"$groups": {"a": {"parts": [1]}}})", "/$groups/a/parts/0: it is not a name"},
        {R"({"$groups": {"a": {"optional": true}}})", "/$groups/a: it has no 'parts'"},
        {R"({"$groups": {"a": {"part": []}}})", "/$groups/a/part: no such field"}}) {
    const auto refused = with_file(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find(words), std::string::npos) << refused.error().message;
  }
}

TEST(SideFile, WhatItDoesNotNameStaysAsItWas) {
  const auto imported = with_file(R"({"pose": {"loops": false, "events": [{"time": 0, "name": "now"}]}})");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.clips()[0].loops, std::nullopt);
  EXPECT_EQ(imported->model.clips()[0].events.size(), 1u);
  EXPECT_EQ(imported->model.clips()[1].loops, false);
  EXPECT_DOUBLE_EQ(imported->model.clips()[1].events.at(0).time, 2.0);
}

TEST(SideFile, ANameThatClipsShareMeansAllOfThem) {
  const auto imported = with_file(
      "\xEF\xBB\xBF"
      R"({"a/b~c": {"loops": true}})");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.clips()[2].loops, true);
  EXPECT_EQ(imported->model.clips()[3].loops, true);
  EXPECT_EQ(imported->model.clips()[0].loops, std::nullopt);
}

TEST(SideFile, ATimeThatRoundingPutsJustPastTheEndIsTheEnd) {
  const auto imported = with_file(R"({"walk": {"events": [{"time": 1.00005, "name": "end"}]}})");
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_DOUBLE_EQ(imported->model.clips()[0].events.back().time, 1.5);
}

struct Wrong {
  const char* text;
  const char* because;
};

class SideFileRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(SideFileRefuses, NamingThePlace) {
  const auto imported = with_file(GetParam().text);
  ASSERT_FALSE(imported);
  const std::string& message = imported.error().message;
  EXPECT_TRUE(is_one_line(message)) << message;
  EXPECT_NE(message.find("events.json: "), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().because), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Each, SideFileRefuses,
    testing::Values(
        Wrong{"", "not valid JSON"}, Wrong{"{\"walk\": ", "not valid JSON at line 1"}, Wrong{"[]", "not an object"},
        Wrong{R"({"run": {}})",
              "/run: no clip is named 'run' or matches it; there are 'walk', 'pose', 'a/b~c', 'a/b~c'"},
        Wrong{R"({"walk": []})", "/walk: it is not an object"},
        Wrong{R"({"walk": {"loop": true}})", "/walk/loop: no such field; there are: loops, events"},
        Wrong{R"({"walk": {"loops": 1}})", "/walk/loops: it is not true or false"},
        Wrong{R"({"walk": {"events": {}}})", "/walk/events: it is not a list"},
        Wrong{R"({"walk": {"events": [7]}})", "/walk/events/0: it is not an object"},
        Wrong{R"({"walk": {"events": [{"time": 0, "name": "a"}, {"time": 0}]}})", "/walk/events/1: it has no 'name'"},
        Wrong{R"({"walk": {"events": [{"time": 0, "name": ""}]}})", "/walk/events/0/name: it is not a name"},
        Wrong{R"({"walk": {"events": [{"time": 0, "name": 3}]}})", "/walk/events/0/name: it is not a name"},
        Wrong{R"({"walk": {"events": [{"name": "a"}]}})", "/walk/events/0: an event has either"},
        Wrong{R"({"walk": {"events": [{"time": 0, "frame": 1, "fps": 3, "name": "a"}]}})",
              "/walk/events/0: an event has"},
        Wrong{R"({"walk": {"events": [{"time": 0, "fps": 3, "name": "a"}]}})", "/walk/events/0/fps: 'fps' goes with"},
        Wrong{R"({"walk": {"events": [{"time": "0", "name": "a"}]}})", "/walk/events/0/time: it is not a number"},
        Wrong{R"({"walk": {"events": [{"frame": 1, "name": "a"}]}})", "/walk/events/0: it has no 'fps'"},
        Wrong{R"({"walk": {"events": [{"frame": 1, "fps": 0, "name": "a"}]}})", "/walk/events/0/fps: it is 0"},
        Wrong{R"({"walk": {"events": [{"frame": 1, "fps": -24, "name": "a"}]}})", "/walk/events/0/fps: it is -24"},
        Wrong{R"({"walk": {"events": [{"time": 1.2, "name": "a"}]}})",
              "/walk/events/0/time: 1.2 s is outside the clip, which is 1 s"},
        Wrong{R"({"walk": {"events": [{"time": -0.1, "name": "a"}]}})", "/walk/events/0/time: -0.1 s is outside"},
        Wrong{R"({"walk": {"events": [{"frame": 40, "fps": 24, "name": "a"}]}})", "/walk/events/0/frame: 1.6"},
        Wrong{R"({"walk": {"events": [{"time": 0, "name": "a", "colour": 1}]}})",
              "/walk/events/0/colour: no such field"},
        Wrong{R"({"a/b~c": {"x": 1}})", "/a~1b~0c/x: no such field"}));

TEST(SideFile, OneThatIsNotThereIsAnErrorWithItsName) {
  const auto imported = add_side_file(walker(), ScratchFolder().path() / "absent.json");
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("absent.json"), std::string::npos) << imported.error().message;
}

}  // namespace
}  // namespace throng::test
