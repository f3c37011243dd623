// SPDX-License-Identifier: Apache-2.0
#pragma once
// The models of the shared folder, for tests that go through all of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "instrumented.h"
#include "paths.h"

namespace throng::test {

// One that is empty where there is no shared folder.
inline std::vector<std::string> every_model() {
  std::vector<std::string> files;
  const std::filesystem::path root = shared_folder() / "models";
  if (std::filesystem::exists(root)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension == ".glb" || extension == ".gltf" || extension == ".fbx") {
        files.push_back(std::filesystem::relative(entry.path(), root).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) files.emplace_back();
  return a_part_if_instrumented(std::move(files));
}

inline std::string model_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.empty() ? "absent" : info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace throng::test
