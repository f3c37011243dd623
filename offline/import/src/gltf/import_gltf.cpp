// SPDX-License-Identifier: Apache-2.0
// import_gltf: a file is loaded, checked and converted, in that order.

#include <algorithm>

#include "gltf/check/check_document.h"
#include "gltf/convert/clips.h"
#include "gltf/convert/materials.h"
#include "gltf/convert/meshes.h"
#include "gltf/file/container.h"
#include "import_budget.h"
#include "kept_influences.h"
#include "throng/base/file.h"
#include "throng/base/memory.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using namespace detail::gltf;

// Shares of reading, by the time that each step takes for the models of public collections.
constexpr double kLoaded = 0.25;
constexpr double kChecked = 0.4;
constexpr double kHasMaterials = 0.45;
constexpr double kHasMeshes = 0.75;
constexpr double kHasClips = 0.9;

Result<Imported> read(const std::filesystem::path& path, SharedBytes file, const ImportSettings& settings) {
  Mender mender(settings.strict);
  THRONG_TRY(Document document, load_document(path, std::move(file), settings.budget, mender));
  report(settings.progress, "read", kLoaded);
  THRONG_CHECK(choose_scene(document, settings.scene));
  THRONG_CHECK(check_document(document, mender));
  report(settings.progress, "read", kChecked);
  Conversion conversion{.document = document,
                        .mender = mender,
                        .skeleton = build_skeleton(document),
                        .draft = {},
                        .meshes_of_node = {},
                        .bindings_of_bone = {},
                        .bindings_of_skin = {},
                        .tally = {},
                        .most_influences = settings.influences};
  conversion.draft.name = path.stem().string();
  THRONG_CHECK(convert_materials(conversion));
  report(settings.progress, "read", kHasMaterials);
  THRONG_CHECK(convert_meshes(conversion, part_of(settings.progress, kHasMaterials, kHasMeshes)));
  THRONG_CHECK(convert_clips(conversion, part_of(settings.progress, kHasMeshes, kHasClips)));
  conversion.draft.bones = std::move(conversion.skeleton.bones);
  THRONG_TRY(Model model, build_model(std::move(conversion.draft)));
  report(settings.progress, "read", 1.0);
  std::vector<std::string> notes = std::move(document.notes);
  mender.tell(notes, conversion.tally.repairs);
  std::transform(notes.begin(), notes.end(), notes.begin(), one_line);
  const std::uint64_t budget = detail::import::Budget(settings.budget, document.files.bytes()).allowed();
  return Imported{std::move(model), std::move(notes), conversion.tally.repairs, {}, budget};
}

}  // namespace

Result<Imported> import_gltf(const std::filesystem::path& path, const ImportSettings& settings) {
  auto file = map_file(path);
  if (!file) return fail(Error{one_line(file.error().message)});
  if (file->size() == 0) return fail("{}: the file is empty", one_line(path.string()));
  if (!is_gltf(file->span())) return fail("{}: not a glTF or GLB file", one_line(path.string()));
  if (auto ok = detail::import::check_influence_limit(settings); !ok)
    return fail(with_context(one_line(path.string()), ok.error()));
  auto imported = within_memory("", [&] { return read(path, std::move(*file), settings); });
  if (!imported) return fail(Error{one_line(with_context(path.string(), imported.error()).message)});
  return imported;
}

}  // namespace throng
