// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command.h"
#include "console.h"
#include "files.h"
#include "progress_line.h"
#include "report.h"
#include "report_text.h"
#include "table.h"
#include "throng/base/try.h"
#include "throng/model/parts.h"
#include "throng/pose/pose.h"

using namespace throng;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kInspectFooter = R"(Examples:
  throng inspect knight.glb
  throng inspect knight.throng.glb --json | jq '.error.between.max_mm'

For a model: parts, clips, events, materials and sockets as they were read, and what was repaired on the way. For an asset: the report of its bake, and its parts, events, root motion, materials and sockets.)";

struct InspectOptions {
  std::string file;
  ImportSettings import;
  bool json = false;
  Console console;
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
          {"notes", imported.notes},
          {"warnings", imported.warnings}};
}

using Kind = TableColumn::Kind;

class ModelText {
 public:
  ModelText(const Model& model, const Paint& paint) : model_(model), paint_(paint) {}

  std::string text() {
    add_summary();
    add_parts();
    add_clips();
    add_events();
    add_materials();
    add_sockets();
    return std::move(text_);
  }

 private:
  void table(std::string_view heading, const std::vector<TableColumn>& columns, const std::vector<TableRow>& rows) {
    if (rows.empty()) return;
    text_ += fmt::format("\n{}\n{}", paint_.heading(heading), table_text(columns, rows, paint_));
  }

  void add_summary() {
    text_ += fmt::format("{}\n", paint_.heading(printable(model_.name())));
    text_ += fmt::format("  model     {}, {}, {}\n", counted(model_.bones().size(), "bone"),
                         counted(model_.clips().size(), "clip"), counted(model_.materials().size(), "material"));
    text_ += fmt::format("  mesh      {}, {}\n", counted(vertex_total(model_), "vertex", "vertices"),
                         counted(triangle_total(model_), "triangle"));
    const Bounds box = pose_bounds(model_, rest_pose(model_));
    if (box.empty()) return;
    const glm::dvec3 size = box.size();
    text_ += fmt::format("  at rest   {:.3f} × {:.3f} × {:.3f} (x, y, z)\n", size.x, size.y, size.z);
  }

  void add_parts() {
    std::vector<TableRow> rows;
    for (const ModelPart& part : parts_of(model_)) {
      rows.push_back({{printable(part.name), grouped(part.triangles),
                       part.bone ? printable(model_.bones()[*part.bone].name) : "–"},
                      {}});
    }
    table("Parts", {{"part", Kind::name}, {"triangles", Kind::number}, {"hangs on bone", Kind::name}}, rows);
  }

  void add_clips() {
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < model_.clips().size(); ++i) {
      const Clip& clip = model_.clips()[i];
      rows.push_back({{fmt::format("{}", i), printable(clip.name), decimal(clip.start, 3), decimal(clip.end, 3),
                       decimal(clip.end - clip.start, 3), clip.loops ? *clip.loops ? "loop" : "once" : "not said"},
                      {}});
    }
    table("Clips",
          {{"number", Kind::number},
           {"clip", Kind::name},
           {"from, s", Kind::number},
           {"to, s", Kind::number},
           {"seconds", Kind::number},
           {"plays"}},
          rows);
  }

  void add_events() {
    std::vector<TableRow> rows;
    for (const Clip& clip : model_.clips()) {
      for (const auto& event : clip.events)
        rows.push_back({{printable(clip.name), decimal(event.time, 3), printable(event.name)}, {}});
    }
    table("Events", {{"clip", Kind::name}, {"at, s", Kind::number}, {"event", Kind::name}}, rows);
  }

  void add_materials() {
    std::vector<TableRow> rows;
    for (const Material& material : model_.materials()) {
      rows.push_back(
          {{printable(material.name), image_name(material.base_image), image_name(material.normal_image)}, {}});
    }
    table("Materials", {{"material", Kind::name}, {"texture", Kind::name}, {"normal map", Kind::name}}, rows);
  }

  std::string image_name(const std::optional<std::uint32_t>& image) const {
    if (!image) return "–";
    const ImageSource& source = model_.images()[*image];
    const std::string name = source.name.empty() ? source.file.filename().string() : source.name;
    return fmt::format("{} ({})", printable(name.empty() ? fmt::format("{}", *image) : name),
                       readable_bytes(source.bytes.size()));
  }

  void add_sockets() {
    std::vector<TableRow> rows;
    for (const Socket& socket : model_.sockets())
      rows.push_back({{printable(socket.name), printable(model_.bones()[socket.bone].name)}, {}});
    table("Sockets", {{"socket", Kind::name}, {"bone", Kind::name}}, rows);
  }

  const Model& model_;
  Paint paint_;
  std::string text_;
};

void print_asset(const Character& asset, const Console& console) {
  if (!console.quiet) {
    const ReportStyle style{.paint = console.paint(stdout), .verbose = console.verbose, .contents = true};
    fmt::print("{}", report_text(asset, style));
    std::fflush(stdout);
  }
  tell_remarks(asset, console);
}

void print_model(const Imported& imported, const Console& console) {
  if (!console.quiet) {
    fmt::print("{}", ModelText(imported.model, console.paint(stdout)).text());
    std::fflush(stdout);
  }
  console.notes(imported.notes);
  for (const std::string& warning : imported.warnings) console.warning(warning);
}

Result<void> run_inspect(const InspectOptions& options) {
  ProgressLine line({kReadPhases.begin(), kReadPhases.end()}, options.console.quiet);
  report(line.progress(), "read", 0.0);
  ImportSettings settings = options.import;
  settings.progress = line.progress();
  THRONG_TRY(const ModelOrAsset loaded, load_model_or_asset(options.file, settings));
  line.finish();
  if (const auto* imported = std::get_if<Imported>(&loaded)) {
    options.json ? fmt::print("{}\n", to_text(model_json(*imported))) : print_model(*imported, options.console);
    return {};
  }
  const auto& asset = std::get<Character>(loaded);
  if (!options.json) {
    print_asset(asset, options.console);
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
  CLI::App& command = *app.add_subcommand("inspect", "Show what is in a model or a baked asset");
  command.footer(kInspectFooter);
  command.add_option("FILE", options->file, "A model, an asset, or builtin:mannequin")->required();
  add_import_options(command, options->import);
  command.add_flag("--json", options->json, "Print as JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, &action] { action = [options] { return run_inspect(*options); }; });
}
