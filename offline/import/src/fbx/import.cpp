// import_fbx: container, document, scene, takes, meshes, clips, in that order.

#include <algorithm>

#include "fbx/convert.h"
#include "kept_influences.h"
#include "one_line.h"
#include "throng/base/file.h"
#include "throng/import/import.h"

namespace throng {
namespace {

void note_constraints(fbx::Document& document) {
  const auto count = std::count_if(document.objects().begin(), document.objects().end(),
                                   [](const fbx::Object& object) { return object.kind == fbx::Kind::constraint; });
  if (count > 0) {
    document.notes.push_back(fmt::format("{} constraints left out: bake what they move into keys on export", count));
  }
}

Result<Imported> convert(const std::filesystem::path& path, fbx::Document document, const ImportSettings& settings) {
  auto scene = fbx::read_scene(document);
  if (!scene) return fail(std::move(scene));
  const fbx::Rig rig(std::move(*scene), fbx::read_takes(document));
  fbx::Conversion conversion{.document = document,
                             .rig = rig,
                             .path = path,
                             .draft = {},
                             .repairs = {},
                             .morphs = {},
                             .bindings_of_bone = {},
                             .most_influences = settings.influences};
  conversion.draft.name = path.stem().string();
  conversion.draft.bones = rig.bones();
  if (auto ok = fbx::convert_meshes(conversion); !ok) return fail(std::move(ok));
  if (auto ok = fbx::convert_clips(conversion); !ok) return fail(std::move(ok));
  note_constraints(document);
  auto model = build_model(std::move(conversion.draft));
  if (!model) return fail(std::move(model));
  std::vector<std::string> notes = std::move(document.notes);
  std::transform(notes.begin(), notes.end(), notes.begin(), one_line);
  return Imported{std::move(*model), std::move(notes), conversion.repairs};
}

Result<Imported> read_fbx(const std::filesystem::path& path, std::span<const std::byte> bytes,
                          const ImportSettings& settings) {
  auto file = fbx::read_file(bytes);
  if (!file) return fail(std::move(file));
  auto document = fbx::Document::from(std::move(*file));
  if (!document) return fail(std::move(document));
  return convert(path, std::move(*document), settings);
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
  if (auto ok = check_influence_limit(settings); !ok) return fail(with_context(one_line(path.string()), ok.error()));
  auto imported = read_fbx(path, file->span(), settings);
  if (!imported) return fail(Error{one_line(with_context(path.string(), imported.error()).message)});
  return imported;
}

}  // namespace throng
