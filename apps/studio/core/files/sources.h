// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an asset is made from: a model, clips of other files for its skeleton, events from a side file.

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/files/event_sheet.h"
#include "throng/character/character.h"
#include "throng/import/import.h"

namespace throng::studio {

struct Sources {
  std::string model;                    // a file, or builtin:mannequin
  std::vector<std::string> clip_files;  // whose clips are added, matched by bone name
  std::string side_file;                // events and loop flags
  std::string scene;                    // of a glTF file; empty: the file's own choice

  friend bool operator==(const Sources&, const Sources&) = default;
};

// A baked asset can be opened too, to be looked at; nothing can be added to it.
struct Gathered {
  std::variant<Imported, Character> content;
  SideFile side_file = {};  // of a model: its events, and what its side file says
};

// Reads it all.
Result<Gathered> gather(const Sources& sources);

// Where an asset goes unless something else is said: where the command line puts it, too (files.h).
std::string default_output(const Sources& sources);

// Refuses an output that is one of the files the asset is made from.
Result<void> check_output(const Sources& sources, const std::string& output);

}  // namespace throng::studio
