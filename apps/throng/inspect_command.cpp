// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"
#include "console.h"
#include "files.h"
#include "report.h"
#include "throng/model/parts.h"
#include "throng/pose/pose.h"

using namespace throng;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kInspectFooter = R"(Examples:
  throng inspect knight.glb
  throng inspect knight.throng.glb --json | jq '.error.between.max_mm'

For a model: bones, parts, meshes, materials and clips as they were read, and what was repaired on the way. For an asset: the report of
its bake.)";

struct InspectOptions {
  std::string file;
  ImportSettings import;
  bool json = false;
};

std::size_t vertex_total(const Model& model) {
  std::size_t total = 0;
  for (const Mesh& mesh : model.meshes()) total += mesh.positions.size();
  return total;
}

std::size_t triangle_total(const Model& model) {
  std::size_t total = 0;
  for (const Mesh& mesh : model.meshes()) total += mesh.indices.size() / 3;
  return total;
}

Json parts_json(const Model& model) {
  Json parts = Json::array();
  for (const ModelPart& part : parts_of(model)) {
    Json bone = part.bone ? Json(model.bones()[*part.bone].name) : Json(nullptr);
    parts.push_back(
        {{"name", part.name}, {"meshes", part.meshes.size()}, {"triangles", part.triangles}, {"on", std::move(bone)}});
  }
  return parts;
}

void print_parts(const Model& model) {
  for (const ModelPart& part : parts_of(model)) {
    const std::string where =
        part.bone ? fmt::format(" on '{}'", printable(model.bones()[*part.bone].name)) : std::string();
    fmt::print("  part '{}': {} triangles{}\n", printable(part.name), grouped(part.triangles), where);
  }
}

Json model_json(const Imported& imported) {
  const Model& model = imported.model;
  Json clips = Json::array();
  for (const Clip& clip : model.clips()) {
    clips.push_back({{"name", clip.name}, {"start", clip.start}, {"end", clip.end}, {"events", clip.events.size()}});
  }
  Json meshes = Json::array();
  for (const Mesh& mesh : model.meshes()) {
    meshes.push_back({{"name", mesh.name},
                      {"node", mesh.node},
                      {"primitive", mesh.primitive},
                      {"vertices", mesh.positions.size()},
                      {"triangles", mesh.indices.size() / 3},
                      {"morph_targets", mesh.morph_targets.size()}});
  }
  Json sockets = Json::array();
  for (const Socket& socket : model.sockets()) sockets.push_back(socket.name);
  const Bounds bounds = pose_bounds(model, rest_pose(model));
  Json box = nullptr;
  if (!bounds.empty()) {
    box = {{"min", {bounds.min.x, bounds.min.y, bounds.min.z}}, {"max", {bounds.max.x, bounds.max.y, bounds.max.z}}};
  }
  return {{"kind", "model"},
          {"name", model.name()},
          {"bones", model.bones().size()},
          {"vertices", vertex_total(model)},
          {"triangles", triangle_total(model)},
          {"materials", model.materials().size()},
          {"bounds", std::move(box)},
          {"parts", parts_json(model)},
          {"meshes", std::move(meshes)},
          {"clips", std::move(clips)},
          {"sockets", std::move(sockets)},
          {"notes", imported.notes}};
}

void print_model(const Imported& imported) {
  const Model& model = imported.model;
  fmt::print("{}: a model of {} bones, {} meshes, {} vertices, {} triangles, {} materials\n", printable(model.name()),
             model.bones().size(), model.meshes().size(), grouped(vertex_total(model)), grouped(triangle_total(model)),
             model.materials().size());
  const glm::dvec3 size = pose_bounds(model, rest_pose(model)).size();
  fmt::print("rest pose: {:.3f} × {:.3f} × {:.3f}\n", size.x, size.y, size.z);
  print_parts(model);
  for (std::size_t i = 0; i < model.clips().size(); ++i) {
    const Clip& clip = model.clips()[i];
    fmt::print("  clip {}: '{}', {:.3f} s to {:.3f} s, {} events\n", i, printable(clip.name), clip.start, clip.end,
               clip.events.size());
  }
  for (const Socket& socket : model.sockets())
    fmt::print("  socket '{}' on '{}'\n", printable(socket.name), printable(model.bones()[socket.bone].name));
  for (const std::string& note : imported.notes) print_note(note);
}

void print_asset(const Character& asset) {
  fmt::print("{}", report_text(asset));
  for (const BakedSocket& socket : asset.sockets()) {
    // In vertex mode a socket moves by items of its own.
    const bool on_bone = asset.mode() == BakeMode::bones;
    const std::string bone = on_bone ? fmt::format(" on '{}'", printable(asset.bones()[socket.bone].name)) : "";
    fmt::print("  socket '{}'{}\n", printable(socket.name), bone);
  }
  for (const std::string& note : asset.notes()) print_note(note);
}

Result<void> run_inspect(const InspectOptions& options) {
  auto loaded = load_model_or_asset(options.file, options.import);
  if (!loaded) return fail(std::move(loaded));
  if (const auto* imported = std::get_if<Imported>(&*loaded)) {
    options.json ? fmt::print("{}\n", to_text(model_json(*imported))) : print_model(*imported);
    return {};
  }
  const auto& asset = std::get<Character>(*loaded);
  if (!options.json) {
    print_asset(asset);
    return {};
  }
  Json report = report_json(asset);
  report["kind"] = "asset";
  fmt::print("{}\n", to_text(report));
  return {};
}

}  // namespace

void add_inspect_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App& command = *app.add_subcommand("inspect", "Tell what is in a model or an asset");
  command.footer(kInspectFooter);
  command.add_option("FILE", options->file, "A model, an asset, or builtin:mannequin")->required();
  add_import_options(command, options->import);
  command.add_flag("--json", options->json, "Print as JSON");
  command.callback([options, &action] { action = [options] { return run_inspect(*options); }; });
}
