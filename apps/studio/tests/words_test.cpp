// SPDX-License-Identifier: Apache-2.0
// Paths, expressions, scripts and reports: what is typed and what is read.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "built_character.h"
#include "core/files/folder_listing.h"
#include "core/files/recent_files.h"
#include "core/form/socket_matches.h"
#include "core/report/report_view.h"
#include "core/script.h"
#include "core/shortened.h"
#include "throng/bake/bake.h"
#include "throng/base/file.h"
#include "throng/import/import.h"
#include "waiting.h"

namespace throng::studio {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::vector<Completion>& completions) {
  Names names;
  for (const Completion& one : completions) names.push_back(one.name);
  return names;
}

TEST(CompletePath, ListsFoldersFirstAndOnlyFilesThatCanBeModels) {
  const test::Folder folder;
  for (const char* name : {"b.glb", "A.FBX", "notes.txt", "c.gltf", ".hidden.glb"})
    ASSERT_TRUE(write_file(folder.file(name), std::string_view("x")));
  std::filesystem::create_directory(folder.file("zoo"));
  const auto all = complete_path(folder.file(""));
  EXPECT_EQ(names_of(all), (Names{"zoo", "A.FBX", "b.glb", "c.gltf"}));
  EXPECT_TRUE(all[0].folder);
  EXPECT_EQ(all[0].path, folder.file("zoo/"));
  EXPECT_EQ(names_of(complete_path(folder.file("a"))), Names{"A.FBX"}) << "case does not matter";
  EXPECT_EQ(names_of(complete_path(folder.file(".h"))), Names{".hidden.glb"});
  EXPECT_TRUE(complete_path(folder.file("no/such/")).empty());
}

TEST(CompletePath, KnowsTheMannequinAndTheHomeFolder) {
  EXPECT_EQ(complete_path("built").front().path, "builtin:mannequin");
  EXPECT_TRUE(
      std::ranges::none_of(complete_path("/built"), [](const auto& c) { return c.name == "builtin:mannequin"; }));
  const std::string home = std::getenv("HOME");
  EXPECT_EQ(with_home("~/a.glb"), home + "/a.glb");
  EXPECT_EQ(with_home("~a.glb"), "~a.glb");
  EXPECT_EQ(with_home("/x/~/a.glb"), "/x/~/a.glb");
}

TEST(ListFolder, ShowsWhatCanBeOpenedWithItsSize) {
  const test::Folder folder;
  ASSERT_TRUE(write_file(folder.file("b.glb"), std::string_view("12345")));
  ASSERT_TRUE(write_file(folder.file("a.throng.glb"), std::string_view("1")));
  ASSERT_TRUE(write_file(folder.file(".hidden.glb"), std::string_view("x")));
  ASSERT_TRUE(write_file(folder.file("notes.txt"), std::string_view("x")));
  std::filesystem::create_directory(folder.file("zoo"));
  const auto all = list_folder(folder.file(""));
  EXPECT_EQ(names_of(all), (Names{"zoo", "a.throng.glb", "b.glb"}));
  EXPECT_EQ(all[2].bytes, 5u);
  EXPECT_EQ(all[2].path, folder.file("b.glb"));
  EXPECT_TRUE(list_folder(folder.file("no such folder/")).empty());
}

TEST(RecentFiles, AreKeptNewestFirstEachOnceAndNoMoreThanTen) {
  const test::Folder folder;
  const std::string list = folder.file("state/throng/recent.txt");
  EXPECT_TRUE(read_recent_files(list).empty()) << "there is no list yet";
  for (int i = 0; i < 12; ++i) remember_file(list, fmt::format("/models/{}.glb", i));
  remember_file(list, "/models/./5.glb");
  remember_file(list, "builtin:mannequin");
  const Names files = read_recent_files(list);
  ASSERT_EQ(files.size(), 10u);
  EXPECT_EQ(files[0], "builtin:mannequin");
  EXPECT_EQ(files[1], "/models/5.glb");
  EXPECT_EQ(files[2], "/models/11.glb");
  EXPECT_EQ(std::ranges::count(files, "/models/5.glb"), 1);
  remember_file(folder.file("state/throng/recent.txt/below a file"), "/models/0.glb");  // cannot be written: no harm
  EXPECT_EQ(read_recent_files(list), files);
}

float letters(std::string_view text) {
  return static_cast<float>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

TEST(Shortened, PathsLoseFoldersFromTheFrontAndKeepTheirName) {
  const std::string path = "/home/me/models/knight.glb";
  EXPECT_EQ(shortened_path(path, 26.0f, letters), path);
  EXPECT_EQ(shortened_path(path, 25.0f, letters), "…/me/models/knight.glb");
  EXPECT_EQ(shortened_path(path, 18.0f, letters), "…/knight.glb");
  EXPECT_EQ(shortened_path(path, 9.0f, letters), "kni…t.glb");
}

TEST(Shortened, NamesLoseTheirMiddleAndStayUtf8) {
  EXPECT_EQ(shortened_name("Walking", 7.0f, letters), "Walking");
  EXPECT_EQ(shortened_name("Running_Strafe_Left", 11.0f, letters), "Runn…e_Left");
  EXPECT_EQ(shortened_name("ひとがあるく動作", 5.0f, letters), "ひ…く動作");
  EXPECT_EQ(shortened_name("Walking", 1.0f, letters), "…");
  EXPECT_EQ(shortened_name("", -1.0f, letters), "") << "there is nothing to cut";
  EXPECT_EQ(shortened_name("W", 0.0f, letters), "…");
}

TEST(Shortened, SentencesLoseTheirEnd) {
  EXPECT_EQ(shortened_end("18 clips are off", 16.0f, letters), "18 clips are off");
  EXPECT_EQ(shortened_end("18 clips are off", 9.0f, letters), "18 clips…");
  EXPECT_EQ(shortened_end("動作動作", 3.0f, letters), "動作…");
  EXPECT_EQ(shortened_end("18 clips", 0.0f, letters), "…");
}

TEST(SocketMatches, AClickAddsABoneAndAnotherTakesItBack) {
  EXPECT_EQ(with_bone_toggled("", "hand.L"), R"(hand\.L)");
  EXPECT_EQ(with_bone_toggled(R"(hand\.L)", "head"), R"(hand\.L|head)");
  EXPECT_EQ(with_bone_toggled(R"(hand\.L|head)", "hand.L"), "head");
  EXPECT_EQ(with_bone_toggled("head", "head"), "");
  EXPECT_EQ(with_bone_toggled("(a|b)|[|]x", "b"), "(a|b)|[|]x|b") << "bars in brackets part nothing";
  const std::string odd = "Bone|01 (end)[x]*";
  ModelDraft draft = test::mannequin().draft();
  draft.bones[0].name = odd;
  const auto model = build_model(std::move(draft));
  ASSERT_TRUE(model);
  EXPECT_EQ(*matching_bones(*model, with_bone_toggled("head", odd)), (Names{odd, "head"}))
      << "any name is meant as it is";
}

TEST(SocketMatches, AreBonesWhoseWholeNameMatches) {
  const Model& model = test::mannequin();
  const auto hands = matching_bones(model, "hand\\..");
  ASSERT_TRUE(hands);
  EXPECT_EQ(*hands, (Names{"hand.L", "hand.R"}));
  EXPECT_TRUE(matching_bones(model, "and")->empty()) << "a part of the name is not enough";
  EXPECT_TRUE(matching_bones(model, "")->empty());
  const auto wrong = matching_bones(model, "hand(");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("this is no regular expression"), std::string::npos);
}

TEST(Script, IsReadLineByLine) {
  const auto commands = parse_script("# a comment\n\n  open  my model.glb \nbake\r\nset mode vertices");
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].line, 3);
  EXPECT_EQ(commands[0].word, "open");
  EXPECT_EQ(commands[0].rest, "my model.glb");
  EXPECT_EQ(commands[1].word, "bake");
  EXPECT_EQ(commands[1].rest, "");
  EXPECT_EQ(commands[2].line, 5);
  EXPECT_EQ(split_first(commands[2].rest), (std::pair<std::string, std::string>("mode", "vertices")));
  EXPECT_EQ(split_list("walk | run fast |"), (Names{"walk", "run fast"}));
}

TEST(ReportView, TellsFramesErrorsAndMemoryOfEachClip) {
  BakeSettings settings;
  settings.clips = {"walk", "attack"};
  SerialExecutor executor;
  auto baked = bake(test::mannequin(), settings, executor);
  ASSERT_TRUE(baked) << baked.error().message;
  const auto rows = clip_rows(*baked);
  ASSERT_EQ(rows.size(), 2u);
  const BakedClip& walk = baked->clips()[0];
  EXPECT_EQ(rows[0].name, "walk");
  EXPECT_EQ(rows[0].frames, std::to_string(walk.frame_count));
  EXPECT_EQ(rows[0].loops, "loop");
  EXPECT_EQ(rows[0].encoding, name_of(walk.encoding));
  EXPECT_NE(rows[0].worst.find(walk.error.worst_bone), std::string::npos);
  const auto all = figures(*baked);
  EXPECT_TRUE(std::ranges::any_of(all, [](const Figure& f) { return f.name == "Memory"; }));
}

TEST(ReportView, GradesErrorsAndTellsWarningsInTheCommandLinesWords) {
  CharacterDraft draft;
  draft.clips.resize(1);
  draft.clips[0].error.at_frames.max_mm = 0.5;
  draft.clips[0].error.between.max_mm = 6.0;
  draft.warnings = {"1 clip is off; allow more with `max_error_mm`"};
  const Character model = throng::test::built_from_clips(draft);
  EXPECT_EQ(warnings(model), Names{"1 clip is off; allow more with --max-error"});
  const auto rows = clip_rows(model);
  EXPECT_EQ(rows[0].at_grade, Grade::good);
  EXPECT_EQ(rows[0].between_grade, Grade::bad);
}

}  // namespace
}  // namespace throng::studio
