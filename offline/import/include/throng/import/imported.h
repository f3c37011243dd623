// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every importer is asked and gives back.

#include <cstdint>
#include <string>
#include <vector>

#include "throng/base/progress.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng {

// What an importer is told.
struct ImportSettings {
  std::string scene = {};        // glTF: by name; empty: the file's default
  std::uint32_t influences = 4;  // that a vertex keeps at most: 4, or 8 (the rest in Mesh::extra_influences)
  // What breaks a rule of the format but has one sensible meaning is mended, counted and noted; strict refuses it.
  bool strict = false;
  // Bytes of memory that reading the file may take; what needs more is refused before it is taken. 0: what is usual for
  // a file of its size, with what it names (throng/base/memory_budget.h), 512 MiB for one of up to a mebibyte.
  std::uint64_t budget = 0;
  // Is told how far reading is, as "read"; and, where what was left out may have moved the surface, how far the look at
  // that is, as "surface".
  Progress progress = {};
};

struct Imported {
  Model model;
  std::vector<std::string> notes;          // what was repaired, dropped or not understood: one line each, counted
  Repairs repairs = {};                    // the same as numbers
  std::vector<std::string> groups = {};    // of parts, from a side file: for BakeSettings::side_groups
  std::uint64_t budget = 0;                // what the file was allowed: for BakeSettings::memory_budget. 0: no file
  std::vector<std::string> warnings = {};  // what shows in the model: one line each
  // Seconds of one core: for BakeSettings::work_seconds. 0: what goes with the budget (throng/base/memory_budget.h)
  double work_seconds = 0.0;
};

}  // namespace throng
