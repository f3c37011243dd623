// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files become Models. Parser types never leave this module.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "throng/base/result.h"
#include "throng/import/imported.h"

namespace throng {

// Reads glTF 2.0 (.gltf, .glb). A broken file is refused with one line that names the file, the thing and the rule it
// breaks. External buffers and images are read only from the file's own folder and below.
Result<Imported> import_gltf(const std::filesystem::path& path, const ImportSettings& settings = {});

// Reads FBX, binary and ASCII. Every take becomes a clip; +Y is up and units are the file's own afterwards.
Result<Imported> import_fbx(const std::filesystem::path& path, const ImportSettings& settings = {});

// One kind of file that can be read. Everything that lists kinds, their endings or readers asks importers().
struct Importer {
  std::string_view name;
  std::span<const std::string_view> endings;  // in lower case, with the dot
  bool (*recognises)(std::span<const std::byte> bytes) = nullptr;
  Result<Imported> (*read)(const std::filesystem::path& path, const ImportSettings& settings) = nullptr;
};
std::span<const Importer> importers();  // all there are, in the order they are asked

// The first importer that recognises the content reads the file, whatever its name ends in. Where it dropped
// influences, a note says how far that moves the surface.
Result<Imported> import_model(const std::filesystem::path& path, const ImportSettings& settings = {});

// Whether the name ends as files do that some importer reads, in capitals or not.
bool has_model_ending(const std::filesystem::path& path);

// "glTF 2.0 (.gltf, .glb) and FBX (.fbx)", for help and messages.
std::string model_formats();
// ".gltf, .glb or .fbx"
std::string model_endings();

}  // namespace throng
