#pragma once
// Files become Models. Parser types never leave this module.

#include <filesystem>
#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/repairs.h"
#include "throng/model/model.h"

namespace throng {

struct ImportSettings {
  std::string scene = {};        // glTF: by name; empty: the file's default
  std::uint32_t influences = 4;  // that a vertex keeps at most: 4, or 8 (the rest in Mesh::more_influences)
};

struct Imported {
  Model model;
  std::vector<std::string> notes;  // what was repaired, dropped or not understood: one line each, counted
  Repairs repairs = {};            // the same as numbers
};

// Reads glTF 2.0 (.gltf, .glb). A broken file is refused with one line that names the file, the thing and the rule it
// breaks. External buffers and images are read only from the file's own folder and below.
Result<Imported> import_gltf(const std::filesystem::path& path, const ImportSettings& settings = {});

// Reads FBX, binary and ASCII. Every take becomes a clip; +Y is up and units are the file's own afterwards.
Result<Imported> import_fbx(const std::filesystem::path& path, const ImportSettings& settings = {});

// Picks the reader by the file's content and extension.
Result<Imported> import_model(const std::filesystem::path& path, const ImportSettings& settings = {});

}  // namespace throng
