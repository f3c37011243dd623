// SPDX-License-Identifier: Apache-2.0
// The table of importers: what is asked of all of them at once.

#include <algorithm>

#include "fbx/fbx_builder.h"
#include "gltf/gltf_builder.h"
#include "throng/import/import.h"
#include "weighted_file.h"

namespace throng::test {
namespace {

TEST(Importers, HaveNamesEndingsAndReadersOfTheirOwn) {
  std::vector<std::string_view> endings;
  for (const Importer& importer : importers()) {
    EXPECT_FALSE(importer.name.empty());
    ASSERT_FALSE(importer.endings.empty());
    EXPECT_NE(importer.read, nullptr);
    EXPECT_FALSE(importer.recognises({})) << importer.name << " takes an empty file for its own";
    endings.insert(endings.end(), importer.endings.begin(), importer.endings.end());
  }
  for (const std::string_view ending : endings) {
    EXPECT_TRUE(ending.starts_with('.'));
    EXPECT_EQ(std::count(endings.begin(), endings.end(), ending), 1) << ending;
    EXPECT_TRUE(has_model_ending("some/model" + std::string(ending)));
    EXPECT_NE(model_formats().find(ending), std::string::npos);
    EXPECT_NE(model_endings().find(ending), std::string::npos);
  }
}

TEST(Importers, KnowTheirEndingsInCapitalsToo) {
  EXPECT_TRUE(has_model_ending("Knight.FBX"));
  EXPECT_FALSE(has_model_ending("knight.png"));
  EXPECT_FALSE(has_model_ending("glb"));
}

TEST(Importers, AreListedAsASentenceHasIt) {
  EXPECT_EQ(model_formats(), "glTF 2.0 (.gltf, .glb) and FBX (.fbx)");
  EXPECT_EQ(model_endings(), ".gltf, .glb or .fbx");
}

TEST(Importers, AreChosenByContentNotByName) {
  FbxBuilder b;
  b.model(1, "node", 0);
  const auto imported = import_model(ScratchFolder().write("really_fbx.glb", b.text()));
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones()[0].name, "node");
}

TEST(Importers, RefuseWhatNoneKnowsAndNameThoseThatThereAre) {
  const auto refused = import_model(ScratchFolder().write("notes.txt", "hello"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(model_formats()), std::string::npos) << refused.error().message;
  const auto empty = import_model(ScratchFolder().write("nothing.fbx", ""));
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("the file is empty"), std::string::npos) << empty.error().message;
}

// What was told, phase by phase: each begins once, and never falls.
std::vector<std::pair<std::string, std::vector<double>>> told_of(const std::filesystem::path& file) {
  std::vector<std::pair<std::string, std::vector<double>>> told;
  ImportSettings settings;
  settings.progress = [&told](std::string_view what, double done) {
    if (told.empty() || told.back().first != what) told.emplace_back(what, std::vector<double>());
    told.back().second.push_back(done);
  };
  const auto imported = import_model(file, settings);
  EXPECT_TRUE(imported) << imported.error().message;
  for (const auto& [phase, shares] : told) {
    EXPECT_TRUE(std::ranges::is_sorted(shares)) << phase;
    EXPECT_GE(shares.front(), 0.0);
    EXPECT_LE(shares.back(), 1.0);
  }
  return told;
}

TEST(Importers, TellHowFarReadingIs) {
  FbxBuilder fbx;
  fbx.model(1, "node", 0);
  const ScratchFolder folder;
  // With eight influences a vertex, of which four go: what that does to the surface is looked at in a phase of its own.
  GltfBuilder gltf = weighted_file({{0.2f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.2f}});
  for (const auto& [file, phases] : {std::pair{folder.write("a.fbx", fbx.text()), std::size_t{1}},
                                     std::pair{folder.write("a.gltf", gltf.gltf()), std::size_t{2}}}) {
    const auto told = told_of(file);
    ASSERT_EQ(told.size(), phases) << file;
    EXPECT_EQ(told[0].first, "read");
    EXPECT_EQ(told[0].second.back(), 1.0);
    EXPECT_GE(told[0].second.size(), 3u) << "and on the way, not only at its end";
    if (phases == 2) {
      EXPECT_EQ(told[1].first, "surface");
    }
  }
}

}  // namespace
}  // namespace throng::test
