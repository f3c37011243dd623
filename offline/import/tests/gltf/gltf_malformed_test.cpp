// SPDX-License-Identifier: Apache-2.0
// Broken files made by others. Strictly, what the Khronos validator refuses is refused and what it accepts is read;
// otherwise some is mended. Nothing crashes.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "shared_files.h"
#include "throng/import/import.h"

namespace throng::test {
namespace {

struct Expected {
  std::string file;
  std::string verdict;
  std::string codes;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.file << " " << expected.codes; }

std::filesystem::path validator_folder() { return shared_folder() / "malformed/gltf-validator"; }

std::vector<Expected> validator_files() {
  std::vector<Expected> files;
  std::ifstream table(validator_folder() / "EXPECTED.tsv");
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    Expected expected;
    std::string ignored;
    std::getline(cells, expected.file, '\t');
    std::getline(cells, expected.verdict, '\t');
    std::getline(cells, ignored, '\t');
    std::getline(cells, ignored, '\t');
    std::getline(cells, expected.codes, '\t');
    if (!expected.file.empty()) files.push_back(expected);
  }
  if (files.empty()) files.emplace_back();
  return files;
}

void expect_read_or_refused_in_one_line(const std::filesystem::path& file, const ImportSettings& settings) {
  const auto imported = import_gltf(file, settings);
  if (imported) {
    for (const std::string& note : imported->notes) EXPECT_TRUE(is_one_line(note)) << note;
    return;
  }
  EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
  EXPECT_NE(imported.error().message.find(file.string()), std::string::npos) << imported.error().message;
}

class GltfValidatorSet : public testing::TestWithParam<Expected> {};

TEST_P(GltfValidatorSet, AgreesWithTheValidatorWhereItIsReadStrictly) {
  const Expected& expected = GetParam();
  if (expected.file.empty()) GTEST_SKIP() << "no shared folder";
  const auto imported = import_gltf(validator_folder() / expected.file, {.strict = true});
  if (!imported) {
    EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
    EXPECT_NE(imported.error().message.find(expected.file), std::string::npos) << imported.error().message;
  }
  if (expected.verdict == "reject")
    EXPECT_FALSE(imported) << "read in spite of " << expected.codes;
  else
    EXPECT_TRUE(imported) << imported.error().message;
}

TEST_P(GltfValidatorSet, IsMendedOrRefusedInOneLineWhereItIsNot) {
  const Expected& expected = GetParam();
  if (expected.file.empty()) GTEST_SKIP() << "no shared folder";
  expect_read_or_refused_in_one_line(validator_folder() / expected.file, {});
  if (import_gltf(validator_folder() / expected.file, {.strict = true})) {
    EXPECT_TRUE(import_gltf(validator_folder() / expected.file)) << "mending refuses what is read strictly";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GltfValidatorSet, testing::ValuesIn(validator_files()),
                         [](const auto& file) { return test_name(file.param.file); });

std::vector<std::string> other_files() {
  std::vector<std::string> files;
  for (const char* folder : {"magnum", "tinygltf", "assimp", "cgltf", "babylon", "assetgen-negative"}) {
    const auto root = shared_folder() / "malformed" / folder;
    if (!std::filesystem::exists(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension == ".gltf" || extension == ".glb")
        files.push_back(entry.path().lexically_relative(shared_folder()).string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) files.emplace_back();
  return files;
}

class GltfOtherMalformed : public testing::TestWithParam<std::string> {};

TEST_P(GltfOtherMalformed, IsReadOrRefusedInOneLine) {
  if (GetParam().empty()) GTEST_SKIP() << "no shared folder";
  for (const bool strict : {false, true})
    expect_read_or_refused_in_one_line(shared_folder() / GetParam(), {.strict = strict});
}

INSTANTIATE_TEST_SUITE_P(Files, GltfOtherMalformed, testing::ValuesIn(other_files()),
                         [](const auto& file) { return test_name(file.param); });

}  // namespace
}  // namespace throng::test
