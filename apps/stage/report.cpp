// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace throng;
using Json = nlohmann::ordered_json;

namespace {

Json figures_json(const ErrorFigures& figures, double mm_per_unit) {
  const double units = mm_per_unit > 0.0 ? 1.0 / mm_per_unit : 0.0;
  return {{"max_mm", figures.max_mm},
          {"p999_mm", figures.p999_mm},
          {"rms_mm", figures.rms_mm},
          {"max_units", figures.max_mm * units},
          {"p999_units", figures.p999_mm * units},
          {"rms_units", figures.rms_mm * units},
          {"normal_max_degrees", figures.normal_max_degrees}};
}

Json vector_json(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

Json box_json(const Bounds& box) { return {{"min", vector_json(box.min)}, {"max", vector_json(box.max)}}; }

Json root_motion_json(const BakedClip& clip) {
  Json rows = Json::array();
  for (const RootSample& s : clip.root_motion) {
    rows.push_back({s.translation.x, s.translation.y, s.translation.z, s.yaw});
  }
  return rows;
}

Json clip_json(const Character& model, const BakedClip& clip) {
  Json events = Json::array();
  for (const ClipEvent& event : clip.events) events.push_back({{"time", event.time}, {"name", event.name}});
  const double unit = model.error().mm_per_unit;
  return {{"name", clip.name},
          {"frames", clip.frame_count},
          {"rate", clip.rate()},
          {"encoding", name_of(clip.encoding)},
          {"bytes", frame_bytes(model, clip)},
          {"length", clip.length},
          {"loops", clip.loops},
          {"layer", clip.layer},
          {"first_frame", clip.first_frame},
          {"bounds", box_json(clip.bounds)},
          {"events", std::move(events)},
          {"root_motion", root_motion_json(clip)},
          {"error",
           {{"at_frames", figures_json(clip.error.at_frames, unit)},
            {"between", figures_json(clip.error.between, unit)},
            {"worst", {{"bone", clip.error.worst_bone}, {"time", clip.error.worst_time}}}}},
          {"choice", clip.choice}};
}

Json repairs_json(const Repairs& r) {
  return {{"weights_rescaled", r.weights_rescaled},
          {"influences_dropped", r.influences_dropped},
          {"vertices_cut", r.vertices_cut},
          {"most_weight_dropped", r.most_weight_dropped},
          {"mean_weight_dropped", r.mean_weight_dropped},
          {"vertices_unweighted", r.vertices_unweighted},
          {"quaternions_fixed", r.quaternions_fixed},
          {"normals_fixed", r.normals_fixed},
          {"faults_mended", r.faults_mended}};
}

Json parts_json(const Character& model) {
  Json parts = Json::array();
  const std::vector<std::size_t> triangles = triangles_of_parts(model);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const BakedPart& part = model.parts()[i];
    parts.push_back({{"name", part.name}, {"triangles", triangles[i]}, {"bounds", box_json(part.bounds)}});
  }
  return parts;
}

Json groups_json(const Character& model) {
  Json groups = Json::array();
  for (const PartGroup& group : model.part_groups()) {
    Json names = Json::array();
    for (const PartId part : group.parts) names.push_back(model.parts()[part.value].name);
    groups.push_back({{"name", group.name}, {"optional", group.optional}, {"parts", std::move(names)}});
  }
  return groups;
}

Json levels_json(const Character& model) {
  const double mm = model.error().mm_per_unit;
  Json levels = Json::array();
  const auto add = [&](const std::vector<BakedDraw>& draws, std::size_t vertices, double error,
                       const std::optional<FewerBones>& fewer) {
    levels.push_back({{"triangles", triangle_total(draws)}, {"vertices", vertices}, {"error_mm", error * mm}});
    if (!fewer) return;
    // What fewer bones a vertex add to that.
    levels.back()["bones_error_mm"] = {{"1", (*fewer)[0] * mm}, {"2", (*fewer)[1] * mm}, {"3", (*fewer)[2] * mm}};
  };
  add(model.draws(), model.vertices().size(), 0.0, model.fewer_bones());
  for (const BakedLevel& level : model.levels()) add(level.draws, level.vertex_count, level.error, level.fewer_bones);
  return levels;
}

const char* mode_name(BakeMode mode) { return mode == BakeMode::bones ? "bones" : "vertices"; }

// One name when every clip has it.
std::string_view encoding_of(const Character& model) {
  for (const BakedClip& clip : model.clips()) {
    if (clip.encoding != model.clips()[0].encoding) return "mixed";
  }
  return model.clips().empty() ? "none" : name_of(model.clips()[0].encoding);
}

Json morphs_json(const BakedMorphs& morphs) {
  Json targets = Json::array();
  for (const BakedTarget& target : morphs.targets) targets.push_back(target.name);
  return {{"targets", std::move(targets)}, {"vertices", morphs.vertices.size()}, {"bytes", morphs.bytes()}};
}

std::size_t bones_of_skins(const Character& model) {
  const auto motion = model.motion();
  const auto mesh = model.near_mesh();
  if (!motion || !mesh) return model.bones().size();
  std::set<std::uint32_t> sole, shared;
  for (std::uint32_t piece = 0; piece < mesh->pieces().size(); ++piece) {
    const auto bindings = mesh->bindings(piece);
    (bindings.size() == 1 ? sole : shared).insert(bindings.begin(), bindings.end());
  }
  std::set<std::uint32_t> skinned, all;
  for (std::uint32_t i = 0; i < motion->bindings().size(); ++i) {
    all.insert(motion->bindings()[i].bone);
    if (!sole.contains(i) || shared.contains(i)) skinned.insert(motion->bindings()[i].bone);
  }
  return skinned.empty() ? all.size() : skinned.size();
}

// Vertices that became one count as many as there were.
std::size_t source_vertices(const Character& model) {
  return std::max(model.baked_from_source().size(), model.vertices().size());
}

// Frames and what they are read by.
double motion_bytes(const Character& model) {
  return static_cast<double>(frame_bytes(model)) + static_cast<double>(sizeof(glm::vec4) * model.table().size());
}

double shared_out(double bytes, std::uint64_t among) { return among > 0 ? bytes / static_cast<double>(among) : 0.0; }

}  // namespace

std::size_t triangle_total(const std::vector<BakedDraw>& draws) {
  std::size_t indices = 0;
  for (const BakedDraw& draw : draws) indices += draw.index_count;
  return indices / 3;
}

std::vector<std::size_t> triangles_of_parts(const Character& model) {
  std::vector<std::size_t> triangles(model.parts().size());
  if (triangles.empty()) return triangles;
  for (const BakedDraw& draw : model.draws()) {
    const auto corners = model.indices().subspan(draw.first_index, draw.index_count);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) ++triangles[model.vertex_parts()[corners[i]]];
  }
  return triangles;
}

std::string_view format_of(const Character& model) {
  if (model.atlas().words.empty()) return "none";
  if (model.atlas().layout.texel_words == 4) return "rgba32ui";
  if (model.atlas().layout.texel_words == 1) return "rgba8";
  const bool halves = std::ranges::all_of(model.clips(), [](const BakedClip& clip) { return is_half(clip.encoding); });
  return halves ? "rgba16f" : "rg32ui";
}

PlainCount plain_count(const Character& model) {
  constexpr double kRate = 30.0;
  constexpr double kMostFrames = 4294967296.0;  // four years: a file may claim more than can be counted
  PlainCount count{.items = model.mode() == BakeMode::bones ? bones_of_skins(model) : source_vertices(model)};
  for (const BakedClip& clip : model.clips())
    count.frames += static_cast<std::uint64_t>(std::clamp(std::round(kRate * clip.length), 1.0, kMostFrames));
  return count;
}

double bytes_an_item_and_frame(const Character& model) {
  const PlainCount count = plain_count(model);
  return shared_out(motion_bytes(model), count.items * count.frames);
}

double bytes_a_stored_item(const Character& model) {
  const std::size_t items = model.mode() == BakeMode::bones ? model.bones().size() : model.vertices().size();
  std::uint64_t frames = 0;
  for (const BakedClip& clip : model.clips())
    frames += clip.encoding == Encoding::localv ? clip.channels.stored_frames : clip.frame_count;
  return shared_out(motion_bytes(model), items * frames);
}

std::uint64_t half_float_bytes(const Character& model) {
  constexpr std::uint64_t kBytes = 16;  // two texels of four half floats
  const PlainCount count = plain_count(model);
  return kBytes * count.items * count.frames;
}

std::uint64_t frame_total(const Character& model) {
  std::uint64_t frames = 0;
  for (const BakedClip& clip : model.clips()) frames += clip.frame_count;
  return frames;
}

Json report_json(const Character& model) {
  Json clips = Json::array();
  for (const BakedClip& clip : model.clips()) clips.push_back(clip_json(model, clip));
  Json sockets = Json::array();
  for (const BakedSocket& socket : model.sockets()) sockets.push_back(socket.name);
  const ErrorReport& error = model.error();
  return {{"name", model.name()},
          {"mode", mode_name(model.mode())},
          {"encoding", encoding_of(model)},
          {"bones", model.bones().size()},
          {"vertices", model.vertices().size()},
          {"triangles", triangle_total(model.draws())},
          {"materials", model.draws().size()},
          {"levels", levels_json(model)},
          {"parts", parts_json(model)},
          {"part_groups", groups_json(model)},
          {"frames", frame_total(model)},
          {"atlas",
           {{"width", model.atlas().layout.width},
            {"height", model.atlas().height},
            {"layers", model.atlas().layer_count},
            {"format", format_of(model)}}},
          {"bytes", frame_bytes(model)},
          {"bytes_an_item_and_frame", bytes_an_item_and_frame(model)},
          {"bytes_a_stored_item", bytes_a_stored_item(model)},
          {"key_bytes", model.key_bytes()},
          {"half_float_bytes", half_float_bytes(model)},
          {"bounds", box_json(model.bounds())},
          {"clips", std::move(clips)},
          {"sockets", std::move(sockets)},
          {"morphs", morphs_json(model.morphs())},
          {"error",
           {{"at_frames", figures_json(error.at_frames, error.mm_per_unit)},
            {"between", figures_json(error.between, error.mm_per_unit)},
            {"mm_per_unit", error.mm_per_unit},
            {"worst", {{"clip", error.worst_clip}, {"bone", error.worst_bone}, {"time", error.worst_time}}}}},
          {"repairs", repairs_json(model.repairs())},
          {"notes", model.notes()},
          {"warnings", model.warnings()}};
}
