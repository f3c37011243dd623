// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character from any file: a baked one is read; a model is baked on the spot, and kept in the user's cache, so that
// the next picture of it begins at once.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "throng/bake/bake.h"
#include "throng/base/progress.h"
#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/import/imported.h"

struct BakedSettings {
  throng::ImportSettings import = {};
  bool cache = true;
  std::filesystem::path folder = {};         // of the cache; empty: throng's in the user's cache folder
  std::string program = {};                  // what bakes, for the cache's names; empty: this very program
  std::uint64_t most_bytes = 1u << 30;       // that the cache may hold: what was used longest ago goes first
  std::vector<std::string>* said = nullptr;  // where notes of a bake that was made now go
  throng::Progress progress = {};            // of such a bake
  unsigned threads = 0;                      // to bake with; 0: one per core
};

// A model's character is kept under a name made of everything it comes from: the bytes of the model and of the files it
// names, the settings, and the program. A cache that cannot be read or written is as good as none.
throng::Result<throng::Character> load_baked(const std::string& file, const BakedSettings& settings = {});

// What a model is baked with for a picture: as `throng bake` does, and with root motion taken off where a walk leaves
// its place, so that it can be moved along.
throng::BakeSettings picture_bake(const throng::Model& model);

// What a bake says, to those who run another command: `once` as "throng bake --once".
std::string with_bake_flags(std::string message);

// The files a model's bytes name, as far as their names tell, where an importer looks for them; whether they are there
// or not.
std::vector<std::filesystem::path> named_files(const std::filesystem::path& model, std::span<const std::byte> bytes);

// Deletes what was used longest ago until no more than `most` bytes are left, and drafts that were left behind.
void sweep_cache(const std::filesystem::path& folder, std::uint64_t most);
