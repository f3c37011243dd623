// SPDX-License-Identifier: Apache-2.0
#include "core/files/event_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "throng/base/file.h"
#include "throng/import/side_file.h"
#include "waiting.h"

namespace throng::studio {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::vector<SheetEvent>& events) {
  Names names;
  for (const SheetEvent& event : events) names.push_back(event.name);
  return names;
}

Imported mannequin() { return Imported{test::mannequin(), {}, {}, {}}; }

const Clip& clip_named(const Model& model, const std::string& name) {
  return model.clips()[model.find_clip(name).value()];
}

TEST(EventSheet, KeepsEventsInOrderAndInsideTheClip) {
  ClipEvents clip{.clip = "walk", .length = 1.0, .own = {}};
  EXPECT_EQ(add_event(clip, 0.5, "b"), 0u);
  EXPECT_EQ(add_event(clip, 0.25, "a"), 0u);
  EXPECT_EQ(add_event(clip, 7.0, "c"), 2u);
  EXPECT_EQ(names_of(clip.own), (Names{"a", "b", "c"}));
  EXPECT_DOUBLE_EQ(clip.own[2].time, 1.0);
  EXPECT_EQ(move_event(clip, 0, 0.75), 1u);
  EXPECT_EQ(names_of(clip.own), (Names{"b", "a", "c"}));
  remove_event(clip, 0);
  EXPECT_EQ(names_of(clip.own), (Names{"a", "c"}));
}

TEST(EventSheet, TellsEventsOfTheSideFileFromTheModelsOwn) {
  const test::Folder folder;
  const std::string text = R"({"walk": {"events": [{"frame": 6, "fps": 24, "name": "step"}]},
                               "w*": {"events": [{"time": 0.125, "name": "all"}]}})";
  ASSERT_TRUE(write_file(folder.file("e.json"), text));
  const auto imported = add_side_file(mannequin(), folder.file("e.json"));
  ASSERT_TRUE(imported) << imported.error().message;
  const auto read = read_sheet(imported->model, text);
  ASSERT_TRUE(read);
  const ClipEvents* walk = read->sheet.find("walk");
  ASSERT_NE(walk, nullptr);
  ASSERT_EQ(walk->own.size(), 1u);
  EXPECT_DOUBLE_EQ(walk->own[0].time, 0.25);
  EXPECT_EQ(walk->own[0].name, "step");
  EXPECT_EQ(read->sheet.fixed_of(imported->model.find_clip("walk").value()).size(),
            clip_named(test::mannequin(), "walk").events.size() + 1)
      << "the mannequin's own, and the pattern's";
}

TEST(EventSheet, IsReadBackByTheImporterAsItWasWritten) {
  const test::Folder folder;
  const std::string before =
      R"({"run": {"loops": false}, "walk": {"loops": true}, "$groups": {"hat": {"parts": ["*"]}}})";
  auto file = read_sheet(test::mannequin(), before);
  ASSERT_TRUE(file);
  EventSheet sheet = file->sheet;
  add_event(*sheet.find("walk"), 0.3, "left \"foot\"");
  add_event(*sheet.find("wave"), 0.1, "hello");
  ASSERT_TRUE(write_file(folder.file("e.json"), text_of(with_sheet(*file, sheet))));
  const auto imported = add_side_file(mannequin(), folder.file("e.json"));
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& walk = clip_named(imported->model, "walk");
  EXPECT_EQ(walk.loops, true);
  EXPECT_EQ(clip_named(imported->model, "run").loops, false) << "what was not edited stays";
  EXPECT_EQ(imported->groups, Names{"hat=*"});
  EXPECT_TRUE(std::ranges::any_of(walk.events, [&](const Event& event) {
    return event.name == "left \"foot\"" && std::abs(event.time - walk.start - 0.3) < 1e-9;
  }));
  // The model that is baked from the sheet has the same events.
  const auto edited = with_events(test::mannequin(), sheet);
  ASSERT_TRUE(edited) << edited.error().message;
  for (const char* name : {"walk", "wave", "run"}) {
    const auto& a = clip_named(*edited, name).events;
    const auto& b = clip_named(imported->model, name).events;
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].name, b[i].name);
      EXPECT_NEAR(a[i].time, b[i].time, 1e-6);
    }
  }
}

TEST(EventSheet, LeavesNothingOfAClipWhoseLastEventWasDeleted) {
  auto file = read_sheet(test::mannequin(), R"({"walk": {"events": [{"time": 0.25, "name": "step"}]}})");
  ASSERT_TRUE(file);
  EventSheet sheet = file->sheet;
  remove_event(*sheet.find("walk"), 0);
  EXPECT_EQ(text_of(with_sheet(*file, sheet)), "{}\n");
}

TEST(EventSheet, RefusesATimeThatIsNotFiniteAndChangesNothing) {
  ClipEvents clip{.clip = "walk", .length = 1.0, .own = {{0.5, "a"}, {0.75, "b"}}};
  const ClipEvents before = clip;
  for (const double time : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(add_event(clip, time, "c"));
    EXPECT_FALSE(move_event(clip, 0, time));
    EXPECT_EQ(clip, before);
  }
}

TEST(EventSheet, RefusesAFileThatTheImporterWouldRefuse) {
  for (const char* text :
       {R"({"walk": 3})", R"({"walk": {"events": 3}})", R"({"walk": {"events": [3]}})",
        R"({"walk": {"events": [{"time": "soon", "name": "step"}]}})", R"({"walk": {"events": [{"time": 0.25}]}})",
        R"({"walk": {"events": [{"frame": 6, "name": "step"}]}})",
        R"({"walk": {"events": [{"frame": 6, "fps": 0, "name": "step"}]}})",
        R"({"walk": {"events": [{"time": 0.25, "name": 7}]}})", "[]", "{"}) {
    EXPECT_FALSE(read_sheet(test::mannequin(), text)) << text;
  }
}

TEST(EventSheet, LeavesEachOfTwoClipsOfOneNameTheEventsOfItsOwn) {
  ModelDraft draft = test::mannequin().draft();
  Clip first = draft.clips.at(0);
  first.name = "step";
  first.events = {{first.start + 0.1, "of the first"}};
  Clip second = first;
  second.events = {{second.start + 0.2, "of the second"}, {second.start + 0.3, "of the second too"}};
  draft.clips = {first, second};
  const auto model = build_model(std::move(draft));
  ASSERT_TRUE(model) << model.error().message;
  auto file = read_sheet(*model, "");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->sheet.clips.size(), 1u) << "a side file cannot tell them apart";
  add_event(file->sheet.clips[0], 0.15, "of both");
  const auto edited = with_events(*model, file->sheet);
  ASSERT_TRUE(edited) << edited.error().message;
  const auto names = [&](std::size_t clip) {
    Names found;
    for (const Event& event : edited->clips()[clip].events) found.push_back(event.name);
    return found;
  };
  EXPECT_EQ(names(0), (Names{"of the first", "of both"}));
  EXPECT_EQ(names(1), (Names{"of both", "of the second", "of the second too"}));
}

TEST(EventSheet, GoesBesideTheAsset) {
  EXPECT_EQ(side_file_beside("out/knight.throng.glb"), "out/knight.events.json");
  EXPECT_EQ(side_file_beside("knight.v2.glb"), "knight.v2.events.json");
  EXPECT_EQ(side_file_beside("knight"), "knight.events.json");
}

}  // namespace
}  // namespace throng::studio
