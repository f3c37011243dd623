// SPDX-License-Identifier: Apache-2.0
// The table of importers, and what is asked of all of them. A new one is a folder of its own and a line here.

#include <algorithm>
#include <array>
#include <vector>

#include "fbx/file/container.h"
#include "gltf/file/container.h"
#include "surface_shift.h"
#include "throng/base/file.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/import/import.h"

namespace throng {
namespace {

// Of a model's height, what dropped influences may move its surface by before that is worth a warning.
constexpr double kShiftThatShows = 0.01;

constexpr std::array<std::string_view, 2> kGltfEndings = {".gltf", ".glb"};
constexpr std::array<std::string_view, 1> kFbxEndings = {".fbx"};

constexpr std::array<Importer, 2> kImporters = {{
    {"glTF 2.0", kGltfEndings, detail::gltf::is_gltf, import_gltf},
    {"FBX", kFbxEndings, detail::fbx::is_fbx, import_fbx},
}};

// What the influences that were dropped did to the surface: the file is read once more, with as many as can be kept,
// where its budget has room for both.
void note_dropped_influences(const Importer& importer, const std::filesystem::path& path, ImportSettings settings,
                             Imported& imported) {
  if (imported.repairs.vertices_cut == 0 || settings.influences >= kMostInfluences) return;
  settings.influences = kMostInfluences;
  // The first model is held meanwhile, which is at most half of what was counted for it.
  settings.budget = imported.budget / 2;
  const Progress progress = std::move(settings.progress);
  settings.progress = [&progress](std::string_view what, double done) {
    report(progress, "surface", what == "read" ? 0.4 * done : 0.4 + 0.1 * done);
  };
  const auto whole = importer.read(path, settings);
  if (!whole || whole->model.meshes().size() != imported.model.meshes().size()) return;
  std::vector<std::uint32_t> meshes;
  for (std::uint32_t i = 0; i < whole->model.meshes().size(); ++i) {
    if (!whole->model.meshes()[i].extra_influences.empty()) meshes.push_back(i);
  }
  const auto shift =
      detail::import::surface_shift({whole->model}, {imported.model}, meshes, part_of(progress, 0.5, 1.0));
  const bool shows = shift.distance > kShiftThatShows * shift.height;
  (shows ? imported.warnings : imported.notes)
      .push_back(one_line(fmt::format("dropping influences beyond the {} strongest moves the surface by up to {}",
                                      kInfluences, shift.text())));
}

}  // namespace

std::span<const Importer> importers() { return kImporters; }

Result<Imported> import_model(const std::filesystem::path& path, const ImportSettings& settings) {
  const auto file = map_file(path);
  if (!file) return fail(Error{one_line(file.error().message)});
  if (file->size() == 0) return fail("{}: the file is empty", one_line(path.string()));
  for (const Importer& importer : kImporters) {
    if (!importer.recognises(file->span())) continue;
    auto imported = importer.read(path, settings);
    if (imported) note_dropped_influences(importer, path, settings, *imported);
    return imported;
  }
  return fail("{}: not a format this reads; supported are {}", one_line(path.string()), model_formats());
}

bool has_model_ending(const std::filesystem::path& path) {
  const std::string ending = lower(path.extension().string());
  return std::any_of(kImporters.begin(), kImporters.end(), [&ending](const Importer& importer) {
    return std::find(importer.endings.begin(), importer.endings.end(), ending) != importer.endings.end();
  });
}

std::string model_formats() {
  std::vector<std::string> formats;
  for (const Importer& importer : kImporters)
    formats.push_back(fmt::format("{} ({})", importer.name, fmt::join(importer.endings, ", ")));
  return joined(formats, "and");
}

std::string model_endings() {
  std::vector<std::string> endings;
  for (const Importer& importer : kImporters)
    endings.insert(endings.end(), importer.endings.begin(), importer.endings.end());
  return joined(endings, "or");
}

}  // namespace throng
