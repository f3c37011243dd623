// SPDX-License-Identifier: Apache-2.0
#pragma once
// The models that benchmarks measure with: the built-in one, and those of the shared folder where it is there.

#include <filesystem>
#include <optional>
#include <vector>

#include "measure.h"
#include "paths.h"
#include "throng/import/import.h"
#include "throng/mannequin/mannequin.h"

namespace throng::bench {

struct BenchModel {
  std::string name;  // as in the JSON's rows
  Model model;
};

inline std::optional<std::filesystem::path> shared_model(const char* file) {
  const auto path = test::shared_folder() / "models" / "gltf" / file;
  return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}

// The mannequin alone, with one clip, where the run is small. `missing`: gets a line for each that is not there.
inline std::vector<BenchModel> table_models(bool small, std::vector<std::string>& missing) {
  std::vector<BenchModel> models;
  if (small) {
    ModelDraft draft = make_mannequin().draft();
    draft.clips.resize(1);
    models.push_back({"mannequin", require(build_model(std::move(draft)))});
    return models;
  }
  const auto add = [&](const char* name, const char* file) {
    const auto path = shared_model(file);
    if (path) models.push_back({name, require(import_gltf(*path)).model});
    if (!path) missing.push_back(fmt::format("{}: there is no {} in {}", name, file, test::shared_folder().string()));
  };
  add("fox", "khronos/Fox/Fox.glb");
  add("cesium_man", "khronos/CesiumMan/CesiumMan.glb");
  add("knight", "kaykit/Knight.glb");
  models.push_back({"mannequin", make_mannequin()});
  return models;
}

}  // namespace throng::bench
