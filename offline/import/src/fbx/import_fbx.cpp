// SPDX-License-Identifier: Apache-2.0
// import_fbx: container, document, scene, takes, meshes, clips, in that order.

#include <algorithm>

#include "fbx/animation/clips.h"
#include "fbx/mesh/meshes.h"
#include "fbx/mesh/skins.h"
#include "kept_influences.h"
#include "surface_shift.h"
#include "throng/base/file.h"
#include "throng/base/memory.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using namespace detail::fbx;
namespace import = detail::import;

void note_constraints(Document& document) {
  const auto count = std::count_if(document.objects().begin(), document.objects().end(),
                                   [](const Object& object) { return object.kind == Kind::constraint; });
  if (count > 0) {
    document.notes.push_back(in_number(
        static_cast<std::uint64_t>(count),
        "[constraint left out: bake what it moves|constraints left out: bake what they move] into keys on export"));
  }
}

// Near characters are blended so (Mesh::skin_method); a crowd cannot be.
void note_dual_quaternions(const Model& model, const std::vector<std::uint32_t>& meshes,
                           std::vector<std::string>& notes, const Progress& progress) {
  if (meshes.empty()) return;
  const auto shift = import::surface_shift({model, SkinMethod::dual_quaternion}, {model}, meshes, progress);
  const std::string& first = model.meshes()[meshes.front()].part;
  notes.push_back(
      fmt::format("{} skinned by dual quaternions, as near characters are; linear blending, as in a "
                  "crowd, is off by up to {}",
                  meshes.size() == 1 ? fmt::format("the mesh '{}' is", first)
                                     : fmt::format("{} meshes, '{}' among them, are", meshes.size(), first),
                  shift.text()));
}

// Shares of reading, by the time that each step takes for the models of public collections.
constexpr double kHasFile = 0.2;
constexpr double kHasTakes = 0.3;
constexpr double kHasMeshes = 0.55;
constexpr double kHasClips = 0.95;

Result<Imported> convert(const std::filesystem::path& path, Document document, const ImportSettings& settings,
                         import::Mender& mender, import::Budget& budget) {
  THRONG_TRY(auto scene, read_scene(document));
  THRONG_TRY(auto takes, read_takes(document, mender, budget));
  report(settings.progress, "read", kHasTakes);
  const Rig rig(std::move(scene), std::move(takes));
  Conversion conversion{.document = document,
                        .rig = rig,
                        .mender = mender,
                        .budget = budget,
                        .path = path,
                        .draft = {},
                        .repairs = {},
                        .morphs = {},
                        .bindings_of_bone = {},
                        .bind_poses = read_bind_poses(document),
                        .most_influences = settings.influences};
  conversion.draft.name = path.stem().string();
  conversion.draft.bones = rig.bones();
  THRONG_CHECK(convert_meshes(conversion, part_of(settings.progress, kHasTakes, kHasMeshes)));
  THRONG_CHECK(convert_clips(conversion, part_of(settings.progress, kHasMeshes, kHasClips)));
  note_constraints(document);
  THRONG_TRY(auto model, build_model(std::move(conversion.draft)));
  report(settings.progress, "read", 1.0);
  std::vector<std::string> notes = std::move(document.notes);
  mender.tell(notes, conversion.repairs);
  note_dual_quaternions(model, conversion.by_dual_quaternions, notes, part_of(settings.progress, 0.0, 0.5));
  std::transform(notes.begin(), notes.end(), notes.begin(), one_line);
  return Imported{std::move(model), std::move(notes), conversion.repairs, {}, budget.allowed()};
}

Result<Imported> read_fbx(const std::filesystem::path& path, std::span<const std::byte> bytes,
                          const ImportSettings& settings) {
  import::Mender mender(settings.strict);
  import::Budget budget(settings.budget, bytes.size());
  THRONG_TRY(auto file, read_file(bytes, mender, budget));
  THRONG_TRY(auto document, Document::from(std::move(file)));
  report(settings.progress, "read", kHasFile);
  return convert(path, std::move(document), settings, mender, budget);
}

}  // namespace

Result<Imported> import_fbx(const std::filesystem::path& path, const ImportSettings& settings) {
  const auto file = map_file(path);
  if (!file) return fail(Error{one_line(file.error().message)});
  if (file->size() == 0) return fail("{}: the file is empty", one_line(path.string()));
  if (!settings.scene.empty()) {
    return fail("{}: an FBX file has no scenes to choose from; leave out the scene '{}'", one_line(path.string()),
                one_line(settings.scene));
  }
  if (auto ok = detail::import::check_influence_limit(settings); !ok)
    return fail(with_context(one_line(path.string()), ok.error()));
  auto imported = within_memory("", [&] { return read_fbx(path, file->span(), settings); });
  if (!imported) return fail(Error{one_line(with_context(path.string(), imported.error()).message)});
  return imported;
}

}  // namespace throng
