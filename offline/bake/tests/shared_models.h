// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models from the shared folder, where there is one.

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "instrumented.h"
#include "mannequin_model.h"
#include "paths.h"
#include "throng/import/import.h"

namespace throng {

inline std::filesystem::path shared_gltf(const char* file) { return test::shared_folder() / "models" / "gltf" / file; }

// Every glTF file there is (a part of them under a sanitizer), in the order of their names; none where there is no
// shared folder.
inline std::vector<std::filesystem::path> every_gltf() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path root = test::shared_folder() / "models" / "gltf";
  if (!std::filesystem::exists(root)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (extension == ".glb" || extension == ".gltf") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return test::a_part_if_instrumented(std::move(files));
}

// Every model there is, FBX too, in the same way.
inline std::vector<std::filesystem::path> every_model() {
  std::vector<std::filesystem::path> files = every_gltf();
  const std::filesystem::path root = test::shared_folder() / "models" / "fbx";
  if (!std::filesystem::exists(root)) return files;
  std::vector<std::filesystem::path> more;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".fbx") more.push_back(entry.path());
  }
  std::sort(more.begin(), more.end());
  more = test::a_part_if_instrumented(std::move(more));
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

// "" is the mannequin. Nothing when the file is not there.
inline std::optional<Imported> load(const char* file) {
  if (*file == 0) return Imported{test::mannequin_model(), {}, {}};
  if (!std::filesystem::exists(shared_gltf(file))) return std::nullopt;
  auto imported = import_gltf(shared_gltf(file));
  if (!imported) ADD_FAILURE() << imported.error().message;
  return imported ? std::optional(*std::move(imported)) : std::nullopt;
}

}  // namespace throng
