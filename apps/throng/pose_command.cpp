// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "console.h"
#include "files.h"
#include "output.h"
#include "progress_line.h"
#include "throng/base/file.h"
#include "throng/base/try.h"
#include "throng/character/character.h"
#include "throng/character/decode.h"
#include "throng/pose/pose.h"

using namespace throng;

namespace {

constexpr const char* kPoseFooter = R"(Examples:
  throng pose knight.glb --clip Walk --time 0.5 -o pose.obj
  throng pose knight.throng.glb --clip-index 3 --time 0.5 -o pose.json
  throng pose knight.glb --json | jq '.parts[0].positions[0]'

Writes the posed vertices in the scene's space, by node and primitive in the file's own vertex order:
  {"parts": [{"node": 0, "primitive": 0, "positions": [[x, y, z], …], "normals": [[x, y, z], …]}, …]}
For an asset the vertices are decoded from its texels. Time is the clip's own, as in the model's file, and is clamped to it. Without a clip: the rest pose (for an asset: its mesh as it is stored). On standard output, --json prints the vertices as JSON.)";

struct PoseOptions {
  std::string file;
  std::optional<std::string> clip;
  std::optional<std::uint32_t> clip_index;
  double time = 0.0;
  std::string output = "-";
  ImportSettings import;
  bool json = false;
  Console console;
};

std::vector<Phase> phases() {
  std::vector<Phase> out(kReadPhases.begin(), kReadPhases.end());
  out.push_back({"pose", "posing", 2.0});
  out.push_back({"write", "writing", 8.0});
  return out;
}

constexpr std::array<std::string_view, 2> kEndings{".obj", ".json"};

// One primitive on one node, posed.
struct PosedPart {
  std::uint32_t node = 0;
  std::uint32_t primitive = 0;
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
  std::vector<std::uint32_t> indices;
};

std::uint32_t number_of(std::uint32_t clip) { return clip; }
std::uint32_t number_of(ClipId clip) { return clip.value; }

// The clip that was asked for, by name or by number; nothing when none was.
template <class Source>
Result<std::optional<std::uint32_t>> chosen_clip(const PoseOptions& options, const Source& source, std::size_t count) {
  if (options.clip) {
    auto found = source.find_clip(*options.clip);
    if (!found) return fail(with_context(options.file, std::move(found).error()));
    return std::optional(number_of(*found));
  }
  if (options.clip_index && *options.clip_index >= count) {
    return fail("{}: there is no clip {}; it has {} (counted from 0)", options.file, *options.clip_index, count);
  }
  return options.clip_index;
}

Result<std::vector<PosedPart>> pose_model(const PoseOptions& options, const Model& model) {
  THRONG_TRY(const auto clip, chosen_clip(options, model, model.clips().size()));
  const Pose pose = clip ? sample(model, model.clips()[*clip], options.time) : rest_pose(model);
  const auto palette = skinning_palette(model, pose);
  std::vector<PosedPart> parts;
  for (std::size_t i = 0; i < model.meshes().size(); ++i) {
    report(options.import.progress, "pose", static_cast<double>(i) / static_cast<double>(model.meshes().size()));
    const Mesh& mesh = model.meshes()[i];
    SkinnedVertices skinned = skin_mesh(model, i, pose, palette, model.meshes()[i].skin_method);
    parts.push_back(
        {mesh.node, mesh.primitive, std::move(skinned.positions), std::move(skinned.normals), mesh.indices});
  }
  return parts;
}

DecodedVertices stored_mesh(const Character& asset) {
  DecodedVertices vertices;
  for (const BakedVertex& vertex : asset.vertices()) {
    vertices.positions.emplace_back(vertex.position);
    vertices.normals.emplace_back(vertex.normal);
  }
  return vertices;
}

Result<DecodedVertices> posed_asset(const PoseOptions& options, const Character& asset) {
  THRONG_TRY(const auto clip, chosen_clip(options, asset, asset.clips().size()));
  if (!clip) return stored_mesh(asset);
  const BakedClip& baked = asset.clips()[*clip];
  const double seconds = std::clamp(options.time - baked.source_start, 0.0, baked.length);
  const ExactCursor at = cursor_at_time(baked, seconds);
  return decode_pose(asset, baked, at.cursor, at.blend);
}

// One part of the source in its own vertex order. A triangle belongs to the part its first corner came from.
Result<std::vector<PosedPart>> pose_asset(const PoseOptions& options, const Character& asset) {
  THRONG_TRY(const DecodedVertices vertices, posed_asset(options, asset));
  const auto baked_vertex = [&asset](std::uint32_t v) {
    return asset.baked_from_source().empty() ? v : asset.baked_from_source()[v];
  };
  struct Place {
    std::size_t part = 0;
    std::uint32_t vertex = 0;
  };
  std::vector<Place> places(asset.vertices().size());
  std::vector<PosedPart> parts;
  for (const BakedSource& source : asset.sources()) {
    PosedPart& part = parts.emplace_back(PosedPart{source.node, source.primitive, {}, {}, {}});
    for (std::uint32_t v = 0; v < source.vertex_count; ++v) {
      const std::uint32_t baked = baked_vertex(source.first_vertex + v);
      places[baked] = {parts.size() - 1, v};
      part.positions.push_back(vertices.positions[baked]);
      part.normals.push_back(vertices.normals[baked]);
    }
  }
  for (const BakedDraw& draw : asset.draws()) {
    for (const std::uint32_t index : asset.indices().subspan(draw.first_index, draw.index_count)) {
      parts[places[index].part].indices.push_back(places[index].vertex);
    }
  }
  return parts;
}

// Tells how much of the text there is.
class Written {
 public:
  Written(const Progress& progress, const std::vector<PosedPart>& parts) : progress_(progress) {
    for (const PosedPart& part : parts) all_ += part.positions.size() + part.normals.size() + part.indices.size() / 3;
    report(progress_, "write", 0.0);
  }
  void one() {
    constexpr std::size_t kTold = 1u << 14;  // lines between two reports
    if (++done_ % kTold == 0) report(progress_, "write", static_cast<double>(done_) / static_cast<double>(all_));
  }

 private:
  const Progress& progress_;
  std::size_t all_ = 0;
  std::size_t done_ = 0;
};

void append_vectors(std::string& text, const std::vector<glm::dvec3>& vectors, Written& written) {
  text += '[';
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}[{}, {}, {}]", i == 0 ? "" : ", ", vectors[i].x, vectors[i].y,
                   vectors[i].z);
    written.one();
  }
  text += ']';
}

std::string to_json(const std::vector<PosedPart>& parts, const Progress& progress) {
  Written written(progress, parts);
  std::string text = "{\"parts\": [";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    fmt::format_to(std::back_inserter(text),
                   "{}\n{{\"node\": {}, \"primitive\": {}, \"positions\": ", i == 0 ? "" : ",", parts[i].node,
                   parts[i].primitive);
    append_vectors(text, parts[i].positions, written);
    text += ", \"normals\": ";
    append_vectors(text, parts[i].normals, written);
    text += '}';
  }
  return text + "\n]}\n";
}

std::string to_obj(const std::vector<PosedPart>& parts, const Progress& progress) {
  Written written(progress, parts);
  std::string text = "# posed by throng\n";
  auto out = std::back_inserter(text);
  std::size_t first_position = 1;
  std::size_t first_normal = 1;
  for (const PosedPart& part : parts) {
    fmt::format_to(out, "o node_{}_primitive_{}\n", part.node, part.primitive);
    for (const auto& p : part.positions) {
      fmt::format_to(out, "v {} {} {}\n", p.x, p.y, p.z);
      written.one();
    }
    for (const auto& n : part.normals) {
      fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
      written.one();
    }
    for (std::size_t i = 0; i + 2 < part.indices.size(); i += 3) {
      text += 'f';
      for (std::size_t corner = i; corner < i + 3; ++corner) {
        fmt::format_to(out, " {}", part.indices[corner] + first_position);
        if (!part.normals.empty()) fmt::format_to(out, "//{}", part.indices[corner] + first_normal);
      }
      text += '\n';
      written.one();
    }
    first_position += part.positions.size();
    first_normal += part.normals.size();
  }
  return text;
}

Result<std::vector<PosedPart>> pose_file(const PoseOptions& options) {
  report(options.import.progress, "read", 0.0);
  THRONG_TRY(const ModelOrAsset loaded, load_model_or_asset(options.file, options.import));
  report(options.import.progress, "pose", 0.0);
  if (const auto* imported = std::get_if<Imported>(&loaded)) return pose_model(options, imported->model);
  return pose_asset(options, std::get<Character>(loaded));
}

Result<void> run_pose(PoseOptions options) {
  THRONG_TRY(const Output output, Output::find(options.output, Content::text));
  if (!output.is_stream()) THRONG_CHECK(check_outputs(std::array{options.file}, std::array{options.output}));
  ProgressLine line(phases(), options.console.quiet);
  const Progress progress = options.import.progress = line.progress();
  THRONG_TRY(const std::vector<PosedPart> parts, pose_file(options));
  const bool as_json = output.is_standard_output() ? options.json : lower(options.output).ends_with(".json");
  const std::string text = as_json ? to_json(parts, progress) : to_obj(parts, progress);
  if (output.is_standard_output()) {
    line.finish();
    fmt::print("{}", text);
    return {};
  }
  THRONG_CHECK(write_file(output.path(), text));
  line.finish();
  std::size_t vertices = 0;
  for (const PosedPart& part : parts) vertices += part.positions.size();
  if (options.json) {
    const nlohmann::ordered_json report{
        {"output", options.output}, {"parts", parts.size()}, {"vertices", vertices}, {"replaced", output.replaces()}};
    fmt::print("{}\n", to_text(report));
  } else if (!options.console.quiet) {
    fmt::print("{} {} ({}, {}){}\n", options.console.paint(stdout).heading("wrote"), printable(options.output),
               counted(parts.size(), "part"), counted(vertices, "vertex", "vertices"), replacing(output));
  }
  return {};
}

}  // namespace

void add_pose_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<PoseOptions>();
  CLI::App& command = *app.add_subcommand("pose", "Write a model's or an asset's vertices at a time of a clip");
  command.footer(kPoseFooter);
  command.add_option("FILE", options->file, "A model, an asset, or builtin:mannequin")->required();
  CLI::Option* name =
      command.add_option("--clip", options->clip, "The clip, by its name or a pattern (* and ?) that only it matches")
          ->option_text("PATTERN");
  command.add_option("--clip-index", options->clip_index, "The clip, by its number, counted from 0")
      ->excludes(name)
      ->check(whole_number());
  command.add_option("--time", options->time, "Seconds, in the clip's own time")->check(moment)->capture_default_str();
  command
      .add_option("-o,--output", options->output,
                  "The file to write: .obj or .json, or - for standard output (the default)")
      ->check([](const std::string& file) { return wrong_ending(file, kEndings); })
      ->option_text("FILE");
  add_import_options(command, options->import);
  add_influences_option(command, options->import);
  command.add_flag("--json", options->json, "Print JSON")->group("Output");
  add_console_options(command, options->console);
  command.callback([options, &action] { action = [options] { return run_pose(*options); }; });
}
