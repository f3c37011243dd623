// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>

#include "console.h"
#include "throng/base/text.h"

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
  for (const BakedEvent& event : clip.events) events.push_back({{"time", event.time}, {"name", event.name}});
  const double unit = model.error().mm_per_unit;
  return {{"name", clip.name},
          {"frames", clip.frame_count},
          {"rate", clip.rate()},
          {"encoding", name_of(clip.encoding)},
          {"bytes", clip_bytes(model, clip)},
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

std::size_t triangle_total(const std::vector<BakedDraw>& draws) {
  std::size_t indices = 0;
  for (const BakedDraw& draw : draws) indices += draw.index_count;
  return indices / 3;
}

Json parts_json(const Character& model) {
  Json parts = Json::array();
  for (const BakedPart& part : model.parts()) parts.push_back({{"name", part.name}, {"bounds", box_json(part.bounds)}});
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
  Json levels = Json::array(
      {{{"triangles", triangle_total(model.draws())}, {"vertices", model.vertices().size()}, {"error_mm", 0.0}}});
  for (const BakedLevel& level : model.levels()) {
    levels.push_back({{"triangles", triangle_total(level.draws)},
                      {"vertices", level.vertex_count},
                      {"error_mm", level.error * model.error().mm_per_unit}});
  }
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

std::string_view format_of(const Character& model) {
  if (model.atlas().layout.texel_words == 4) return "rgba32ui";
  const bool halves = std::ranges::all_of(model.clips(), [](const BakedClip& clip) { return is_half(clip.encoding); });
  return halves ? "rgba16f" : "rg32ui";
}

std::string figures_text(const ErrorFigures& figures) {
  return fmt::format("max {:.3f} mm, 99.9 % under {:.3f} mm, rms {:.3f} mm; normals {:.3f}°", figures.max_mm,
                     figures.p999_mm, figures.rms_mm, figures.normal_max_degrees);
}

std::size_t longest_name(const std::vector<BakedClip>& clips) {
  std::size_t longest = 4;
  for (const BakedClip& clip : clips) longest = std::max(longest, clip.name.size());
  return std::min<std::size_t>(longest, 40);
}

std::string clip_text(const Character& model, const BakedClip& clip, std::size_t width) {
  std::string text = fmt::format(
      "  {:<{}}  {:5} at {:7.3f} fps, {:8.3f} s{}  {:<6}  {:>9}  error {:7.3f} / {:7.3f} mm  worst: {} at {:.3f} s\n",
      printable(clip.name), width, clip.frame_count, clip.rate(), clip.length, clip.loops ? " loop" : "     ",
      name_of(clip.encoding), readable_bytes(clip_bytes(model, clip)), clip.error.at_frames.max_mm,
      clip.error.between.max_mm, printable(clip.error.worst_bone), clip.error.worst_time);
  // The default needs no reason.
  if (!clip.choice.empty() && !clip.choice.ends_with("the default"))
    text += fmt::format("  {:<{}}    {}\n", "", width, printable(clip.choice));
  return text;
}

std::string levels_text(const Character& model) {
  std::string text;
  for (const BakedLevel& level : model.levels()) {
    text += fmt::format("{}{} triangles ({:.1f} mm)", text.empty() ? "" : ", ", grouped(triangle_total(level.draws)),
                        level.error * model.error().mm_per_unit);
  }
  return text.empty() ? "" : "levels of detail: " + text + "\n";
}

std::string repairs_text(const Repairs& r) {
  std::string text;
  const auto say = [&text](std::uint64_t count, const std::string& what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(count), what);
  };
  say(r.weights_rescaled, "vertices' weights rescaled to one");
  say(r.influences_dropped,
      fmt::format("influences dropped on {} vertices ({:.1f} % of the weight on average, {:.1f} % at most)",
                  grouped(r.vertices_cut), 100.0 * r.mean_weight_dropped, 100.0 * r.most_weight_dropped));
  say(r.vertices_unweighted, "vertices without weight bound to the first bone");
  say(r.quaternions_fixed, "rotation keys normalised");
  say(r.normals_fixed, "normals mended");
  say(r.faults_mended, "other faults of the file mended (see the notes)");
  return text.empty() ? "" : "repaired: " + text + "\n";
}

std::string memory_text(const Character& model) {
  const auto bytes = static_cast<double>(model.atlas().words.size_bytes());
  std::string text = fmt::format("atlas: {} × {} texels × {} layers ({}), {} frames, {}", model.atlas().layout.width,
                                 model.atlas().height, model.atlas().layer_count, format_of(model),
                                 grouped(frame_total(model)), readable_bytes(model.atlas().words.size_bytes()));
  if (model.half_float_bytes() > 0) {
    text +=
        fmt::format("; {:.2f} of what the half-float layout at 30 fps takes ({})",
                    bytes / static_cast<double>(model.half_float_bytes()), readable_bytes(model.half_float_bytes()));
  }
  if (!model.morphs().empty()) {
    text += fmt::format("\nmorph targets: {} on {} vertices, {}", model.morphs().targets.size(),
                        grouped(model.morphs().vertices.size()), readable_bytes(model.morphs().bytes()));
  }
  return text + "\n";
}

Json morphs_json(const BakedMorphs& morphs) {
  Json targets = Json::array();
  for (const BakedTarget& target : morphs.targets) targets.push_back(target.name);
  return {{"targets", std::move(targets)}, {"vertices", morphs.vertices.size()}, {"bytes", morphs.bytes()}};
}

}  // namespace

std::uint64_t clip_bytes(const Character& model, const BakedClip& clip) {
  const FrameLayout frames = frame_layout(model, clip);
  return std::uint64_t{clip.frame_count} * frames.texels_per_frame * model.atlas().layout.texel_words *
         sizeof(std::uint32_t);
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
          {"bytes", model.atlas().words.size_bytes()},
          {"half_float_bytes", model.half_float_bytes()},
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

std::string parts_text(const Character& model) {
  std::vector<std::string> names;
  for (const BakedPart& part : model.parts()) names.push_back(part.name);
  std::string text = names.empty() ? "" : fmt::format("parts: {}\n", printable(listed(names, names.size())));
  for (const PartGroup& group : model.part_groups()) {
    std::vector<std::string> members;
    for (const PartId part : group.parts) members.push_back(names[part.value]);
    text += fmt::format("  one of '{}'{}: {}\n", printable(group.name), group.optional ? ", or none" : "",
                        printable(listed(members, members.size())));
  }
  return text;
}

std::string report_text(const Character& model) {
  std::string text = fmt::format(
      "{}: {}, {} vertices, {} triangles, {} draws\n", printable(model.name()),
      model.mode() == BakeMode::bones ? fmt::format("{} bones", model.bones().size()) : std::string("vertex mode"),
      grouped(model.vertices().size()), grouped(triangle_total(model.draws())), model.draws().size());
  text += levels_text(model);
  text += parts_text(model);
  const std::size_t width = longest_name(model.clips());
  for (const BakedClip& clip : model.clips()) text += clip_text(model, clip, width);
  text += memory_text(model);
  text += fmt::format("error at frames: {}\n", figures_text(model.error().at_frames));
  text += fmt::format("error between:   {}\n", figures_text(model.error().between));
  text +=
      fmt::format("  (on a character 1.8 m tall; worst in clip '{}' at {:.3f} s, bone '{}')\n",
                  printable(model.error().worst_clip), model.error().worst_time, printable(model.error().worst_bone));
  return text + repairs_text(model.repairs());
}
