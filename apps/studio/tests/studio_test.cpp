// SPDX-License-Identifier: Apache-2.0
#include "core/studio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "throng/base/file.h"
#include "throng/character/character.h"
#include "throng/character/file.h"
#include "waiting.h"

namespace throng::studio {
namespace {

namespace fs = std::filesystem;

Sources from(const std::string& model) { return {.model = model, .clip_files = {}, .side_file = {}, .scene = {}}; }

// With the mannequin open and only its walk ticked: a quick bake.
class StudioTest : public ::testing::Test {
 protected:
  void SetUp() override {
    studio.open(from("builtin:mannequin"));
    test::wait_for_rest(studio);
    ASSERT_TRUE(studio.model());
    for (ClipChoice& clip : studio.form().clips) clip.baked = clip.name == "walk";
  }
  void bake() {
    studio.bake();
    test::wait_for_rest(studio);
  }

  JobRunner jobs;
  Studio studio{jobs};
  test::Folder folder;
};

TEST_F(StudioTest, OffersTheClipsOfTheModelItOpened) {
  EXPECT_EQ(studio.form().clips.size(), test::mannequin().clips().size());
  EXPECT_EQ(studio.output(), "mannequin.throng.glb");
  EXPECT_TRUE(studio.can_bake());
  EXPECT_FALSE(studio.can_save()) << "nothing is baked";
}

TEST_F(StudioTest, BakesWhatIsTickedAndKnowsWhenTheFieldsHaveChangedSince) {
  studio.bake();
  EXPECT_EQ(studio.activity(), Activity::baking);
  EXPECT_FALSE(studio.can_bake()) << "one at a time";
  test::wait_for_rest(studio);
  ASSERT_TRUE(studio.result());
  ASSERT_EQ(studio.result()->model.clips().size(), 1u);
  EXPECT_EQ(studio.result()->model.clips()[0].name, "walk");
  EXPECT_FALSE(studio.result_is_old());
  studio.form().link_textures = true;
  EXPECT_FALSE(studio.result_is_old()) << "this one counts when the asset is written";
  studio.form().settings.frame_rate = 24.0;
  EXPECT_TRUE(studio.result_is_old());
}

TEST_F(StudioTest, ThrowsTheResultOfACancelledBakeAway) {
  studio.bake();
  studio.cancel();
  EXPECT_EQ(studio.activity(), Activity::idle);
  ASSERT_TRUE(test::wait_until([&] { return jobs.running() == 0; }));
  studio.poll();
  EXPECT_FALSE(studio.result());
  EXPECT_TRUE(studio.problems().bake.empty());
  bake();
  EXPECT_TRUE(studio.result()) << "and bakes again";
}

TEST_F(StudioTest, WritesAnAssetThatReadsBack) {
  bake();
  studio.output() = folder.file("walk.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.saved_as(), folder.file("walk.throng.glb"));
  EXPECT_EQ(folder.entries(), 1u) << "no draft is left beside it";
  EXPECT_FALSE(studio.save_replaced());
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_TRUE(studio.save_replaced()) << "there was one";
  const auto read = read_character(studio.saved_as());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->clips()[0].name, "walk");
}

TEST_F(StudioTest, OpensABakedAssetToLookAt) {
  bake();
  studio.output() = folder.file("walk.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  studio.open(from(folder.file("walk.throng.glb")));
  test::wait_for_rest(studio);
  EXPECT_FALSE(studio.model());
  ASSERT_TRUE(studio.result());
  EXPECT_TRUE(studio.result()->from_file);
  EXPECT_FALSE(studio.can_bake());
  EXPECT_FALSE(studio.can_save());
}

TEST_F(StudioTest, SaysWhyAnAssetCannotBeWritten) {
  bake();
  for (const auto& [output, says] :
       std::vector<std::pair<std::string, std::string>>{{folder.file("no/such/folder/a.throng.glb"), "a.throng.glb"},
                                                        {folder.file(""), "is a folder"},
                                                        {"", "has no name"}}) {
    studio.output() = output;
    studio.save();
    test::wait_for_rest(studio);
    EXPECT_NE(studio.problems().save.find(says), std::string::npos) << studio.problems().save;
    EXPECT_TRUE(studio.saved_as().empty());
  }
  EXPECT_EQ(folder.entries(), 0u);
}

TEST_F(StudioTest, SaysWhyABakeWasRefused) {
  studio.form().settings.sockets = "no_bone_has_this_name";
  bake();
  EXPECT_FALSE(studio.result());
  EXPECT_FALSE(studio.problems().bake.empty());
  for (ClipChoice& clip : studio.form().clips) clip.baked = false;
  bake();
  EXPECT_EQ(studio.problems().bake, "no clip is chosen; tick one");
}

TEST_F(StudioTest, KeepsWhatIsOpenWhenAnotherFileCannotBeRead) {
  const auto before = studio.model();
  const std::string broken = folder.file("broken.glb");
  std::ofstream(broken) << "glTF and nothing more";
  studio.open(from(broken));
  test::wait_for_rest(studio);
  EXPECT_NE(studio.problems().open.find("broken.glb"), std::string::npos) << studio.problems().open;
  EXPECT_EQ(studio.model(), before);
  EXPECT_EQ(studio.sources().model, "builtin:mannequin");
  studio.open(from(fs::temp_directory_path().string()));
  test::wait_for_rest(studio);
  EXPECT_NE(studio.problems().open.find("is a folder"), std::string::npos);
  studio.open(from(""));
  test::wait_for_rest(studio);
  EXPECT_NE(studio.problems().open.find("no model is chosen"), std::string::npos);
}

TEST_F(StudioTest, KeepsTheFieldsWhenTheSameModelGetsEvents) {
  const std::string events = folder.file("events.json");
  ASSERT_TRUE(write_file(events, std::string_view(R"({"walk": {"events": [{"time": 0.25, "name": "step"}]}})")));
  studio.form().settings.levels = 2;
  Sources sources = from("builtin:mannequin");
  sources.side_file = events;
  studio.open(sources);
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.problems().open, "");
  EXPECT_EQ(studio.form().settings.levels, 2u);
  EXPECT_FALSE(studio.form().clips[1].baked) << "only the walk was ticked";
  bake();
  ASSERT_TRUE(studio.result());
  const auto& baked = studio.result()->model.clips()[0].events;
  EXPECT_TRUE(std::ranges::any_of(baked, [](const ClipEvent& event) { return event.name == "step"; }));
}

TEST_F(StudioTest, ShowsTheModelAsSoonAsItIsOpen) {
  ASSERT_TRUE(test::wait_until([&] {
    studio.poll();
    return studio.source() != nullptr;
  })) << studio.source_problem();
  EXPECT_EQ(&studio.source()->model(), &studio.model()->model);
  EXPECT_FALSE(studio.result()) << "nothing is baked for it";
  // Another model's takes its place.
  const std::string file = folder.file("walk.throng.glb");
  bake();
  studio.output() = file;
  studio.save();
  test::wait_for_rest(studio);
  studio.open(from(file));
  test::wait_for_rest(studio);
  EXPECT_FALSE(studio.source()) << "an asset is looked at without its model";
}

TEST_F(StudioTest, UndoesAndRedoesWhatWasChanged) {
  const BakeForm before = studio.form();
  studio.note_edits(false);
  studio.form().settings.levels = 2;
  studio.note_edits(true);  // still held
  studio.form().settings.levels = 3;
  studio.note_edits(false);
  add_event(*studio.events().find("walk"), 0.2, "step");
  studio.undo();
  EXPECT_TRUE(studio.events().find("walk")->own.empty()) << "what was not noted yet is a step too";
  EXPECT_EQ(studio.form().settings.levels, 3u);
  studio.undo();
  EXPECT_EQ(studio.form(), before);
  EXPECT_FALSE(studio.can_undo() && studio.form().settings.levels == 2u) << "a drag is one step";
  studio.redo();
  EXPECT_EQ(studio.form().settings.levels, 3u);
  studio.redo();
  EXPECT_EQ(studio.events().find("walk")->own.size(), 1u);
}

TEST_F(StudioTest, BakesEditedEventsAndWritesThemBesideTheAsset) {
  add_event(*studio.events().find("walk"), 0.2, "step");
  EXPECT_TRUE(studio.events_changed());
  bake();
  ASSERT_TRUE(studio.result()) << studio.problems().bake;
  const auto has_step = [](const std::vector<ClipEvent>& events) {
    return std::ranges::any_of(events, [](const ClipEvent& event) { return event.name == "step"; });
  };
  EXPECT_TRUE(has_step(studio.result()->model.clips()[0].events));
  studio.output() = folder.file("walk.throng.glb");
  EXPECT_EQ(studio.side_file(), folder.file("walk.events.json"));
  EXPECT_NE(studio.command().find("--events " + folder.file("walk.events.json")), std::string::npos);
  EXPECT_EQ(folder.entries(), 0u) << "nothing is written before it is saved";
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.problems().save, "");
  EXPECT_EQ(folder.entries(), 2u);
  EXPECT_EQ(studio.sources().side_file, folder.file("walk.events.json"));
  EXPECT_FALSE(studio.events_changed());
  // Read by the importer it gives the same.
  Sources again = from("builtin:mannequin");
  again.side_file = folder.file("walk.events.json");
  studio.open(again);
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.problems().open, "");
  ASSERT_EQ(studio.events().find("walk")->own.size(), 1u);
  EXPECT_EQ(studio.events().find("walk")->own[0], (SheetEvent{0.2, "step"}));
  bake();
  EXPECT_TRUE(has_step(studio.result()->model.clips()[0].events));
}

bool has_event(const Character& model, const std::string& name) {
  return std::ranges::any_of(model.clips()[0].events, [&](const ClipEvent& event) { return event.name == name; });
}

TEST_F(StudioTest, BakesEditedEventsAgainAfterTheyWereWritten) {
  add_event(*studio.events().find("walk"), 0.2, "step");
  bake();
  studio.output() = folder.file("walk.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  ASSERT_EQ(studio.problems().save, "");
  bake();
  ASSERT_TRUE(studio.result()) << studio.problems().bake;
  EXPECT_TRUE(has_event(studio.result()->model, "step"));
  remove_event(*studio.events().find("walk"), 0);
  bake();
  EXPECT_FALSE(has_event(studio.result()->model, "step")) << "and not when it was deleted";
}

TEST_F(StudioTest, LeavesASideFileAloneThatWasNotOpened) {
  const std::string file = folder.file("walk.events.json");
  const std::string theirs = R"({"run": {"loops": false}, "$groups": {"hat": {"parts": ["*"]}}})";
  ASSERT_TRUE(write_file(file, theirs));
  add_event(*studio.events().find("walk"), 0.2, "step");
  bake();
  studio.output() = folder.file("walk.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_NE(studio.problems().save.find("walk.events.json: is there already"), std::string::npos)
      << studio.problems().save;
  EXPECT_EQ(read_text_file(file).value(), theirs);
  EXPECT_EQ(folder.entries(), 1u) << "nor is the asset written without its events";
  studio.output() = folder.file("other.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.problems().save, "");
  EXPECT_EQ(studio.side_file(), folder.file("other.events.json"));
  // What was written here can be written over.
  add_event(*studio.events().find("walk"), 0.3, "other step");
  bake();
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_EQ(studio.problems().save, "");
  EXPECT_NE(read_text_file(studio.side_file()).value().find("other step"), std::string::npos);
}

TEST_F(StudioTest, LeavesTheSideFileAsItWasWhenTheAssetCannotBeWritten) {
  Sources sources = from("builtin:mannequin");
  sources.side_file = folder.file("events.json");
  const std::string before = R"({"walk": {"loops": true}})";
  ASSERT_TRUE(write_file(sources.side_file, before));
  studio.open(sources);
  test::wait_for_rest(studio);
  ASSERT_EQ(studio.problems().open, "");
  add_event(*studio.events().find("walk"), 0.2, "step");
  bake();
  studio.output() = folder.file("no such folder/walk.throng.glb");
  studio.save();
  test::wait_for_rest(studio);
  EXPECT_NE(studio.problems().save, "");
  EXPECT_EQ(read_text_file(sources.side_file).value(), before);
  EXPECT_EQ(folder.entries(), 1u) << "no draft is left beside it";
  EXPECT_TRUE(studio.events_changed());
}

TEST_F(StudioTest, RedoesNothingOverWhatWasChangedSince) {
  studio.note_edits(false);
  studio.form().settings.levels = 2;
  studio.note_edits(false);
  studio.undo();
  studio.form().settings.frame_rate = 24.0;
  studio.redo();
  EXPECT_EQ(studio.form().settings.frame_rate, 24.0) << "what was not noted yet is a step too";
  EXPECT_NE(studio.form().settings.levels, 2u);
  studio.undo();
  EXPECT_NE(studio.form().settings.frame_rate, 24.0);
}

TEST(Sources, AreGatheredWithTheEventsOfTheSideFile) {
  const test::Folder folder;
  Sources sources = from("builtin:mannequin");
  sources.side_file = folder.file("events.json");
  const std::string text = R"({"walk": {"loops": true, "events": [{"time": 0.25, "name": "step"}]}})";
  ASSERT_TRUE(write_file(sources.side_file, text));
  const auto gathered = gather(sources);
  ASSERT_TRUE(gathered) << gathered.error().message;
  EXPECT_EQ(gathered->side_file.sheet.find("walk")->own, (std::vector<SheetEvent>{{0.25, "step"}}));
  EXPECT_EQ(gathered->side_file.json, nlohmann::ordered_json::parse(text));
}

TEST(Sources, PutTheAssetIntoTheWorkingFolderAndNeverOverTheModel) {
  EXPECT_EQ(default_output(from("/models/a knight.glb")), "a knight.throng.glb") << "as the command line does";
  const test::Folder folder;
  const std::string model = folder.file("m.glb");
  ASSERT_TRUE(write_file(model, std::string_view("x")));
  const auto refused = check_output(from(model), model);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is the model itself"), std::string::npos);
  EXPECT_TRUE(check_output(from(model), folder.file("m.throng.glb")));
  Sources with_clips = from("builtin:mannequin");
  with_clips.clip_files = {model};
  EXPECT_FALSE(check_output(with_clips, model));
}

}  // namespace
}  // namespace throng::studio
