#include "throng/import/import.h"

#include <algorithm>

#include "fbx/container.h"
#include "gltf/container.h"
#include "gltf/convert.h"
#include "gltf/document.h"
#include "kept_influences.h"
#include "one_line.h"
#include "throng/base/file.h"

namespace throng {
namespace {

Result<Imported> read_gltf(const std::filesystem::path& path, SharedBytes file, const ImportSettings& settings) {
  auto document = gltf::load_document(path, std::move(file));
  if (!document) return fail(std::move(document));
  if (auto ok = gltf::choose_scene(*document, settings.scene); !ok) return fail(std::move(ok));
  if (auto ok = gltf::check_document(*document); !ok) return fail(std::move(ok));
  gltf::Conversion conversion{.document = *document,
                              .skeleton = gltf::build_skeleton(*document),
                              .draft = {},
                              .meshes_of_node = {},
                              .bindings_of_bone = {},
                              .bindings_of_skin = {},
                              .tally = {},
                              .most_influences = settings.influences};
  conversion.draft.name = path.stem().string();
  gltf::convert_materials(conversion);
  if (auto ok = gltf::convert_meshes(conversion); !ok) return fail(std::move(ok));
  if (auto ok = gltf::convert_clips(conversion); !ok) return fail(std::move(ok));
  conversion.draft.bones = std::move(conversion.skeleton.bones);
  auto model = build_model(std::move(conversion.draft));
  if (!model) return fail(std::move(model));
  std::vector<std::string> notes = std::move(document->notes);
  std::transform(notes.begin(), notes.end(), notes.begin(), one_line);
  return Imported{std::move(*model), std::move(notes), conversion.tally.repairs};
}

}  // namespace

Result<Imported> import_gltf(const std::filesystem::path& path, const ImportSettings& settings) {
  auto file = map_file(path);
  if (!file) return fail(Error{one_line(file.error().message)});
  if (file->size() == 0) return fail("{}: the file is empty", one_line(path.string()));
  if (gltf::sniff(file->span()) == gltf::Format::unknown) {
    return fail("{}: not a glTF or GLB file", one_line(path.string()));
  }
  if (auto ok = check_influence_limit(settings); !ok) return fail(with_context(one_line(path.string()), ok.error()));
  auto imported = read_gltf(path, std::move(*file), settings);
  if (!imported) return fail(Error{one_line(with_context(path.string(), imported.error()).message)});
  return imported;
}

Result<Imported> import_model(const std::filesystem::path& path, const ImportSettings& settings) {
  auto file = map_file(path);
  if (!file) return fail(Error{one_line(file.error().message)});
  if (fbx::is_fbx(file->span())) return import_fbx(path, settings);
  if (file->size() > 0 && gltf::sniff(file->span()) == gltf::Format::unknown) {
    return fail("{}: not a format this reads; supported are glTF 2.0 (.gltf), GLB (.glb) and FBX (.fbx)",
                one_line(path.string()));
  }
  return import_gltf(path, settings);
}

}  // namespace throng
