#include "report.h"

#include <algorithm>

#include "console.h"

using namespace throng;
using Json = nlohmann::ordered_json;

namespace {

Json figures_json(const ErrorFigures& figures) {
  return {{"max_mm", figures.max_mm},
          {"p999_mm", figures.p999_mm},
          {"rms_mm", figures.rms_mm},
          {"normal_max_degrees", figures.normal_max_degrees}};
}

Json clip_json(const BakedModel& model, const BakedClip& clip) {
  Json events = Json::array();
  for (const BakedEvent& event : clip.events) events.push_back({{"time", event.time}, {"name", event.name}});
  return {{"name", clip.name},          {"frames", clip.frame_count},
          {"rate", clip.rate()},        {"bytes", clip_bytes(model, clip)},
          {"length", clip.length},      {"loops", clip.loops},
          {"layer", clip.layer},        {"first_frame", clip.first_frame},
          {"events", std::move(events)}};
}

Json vector_json(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

std::string figures_text(const ErrorFigures& figures) {
  return fmt::format("max {:.3f} mm, 99.9 % under {:.3f} mm, rms {:.3f} mm", figures.max_mm, figures.p999_mm,
                     figures.rms_mm);
}

std::size_t longest_name(const std::vector<BakedClip>& clips) {
  std::size_t longest = 4;
  for (const BakedClip& clip : clips) longest = std::max(longest, clip.name.size());
  return longest;
}

}  // namespace

std::uint64_t clip_bytes(const BakedModel& model, const BakedClip& clip) {
  return std::uint64_t{clip.frame_count} * model.atlas.layout.rows_per_frame * model.atlas.layout.width * sizeof(Texel);
}

std::uint64_t frame_total(const BakedModel& model) {
  std::uint64_t frames = 0;
  for (const BakedClip& clip : model.clips) frames += clip.frame_count;
  return frames;
}

Json report_json(const BakedModel& model) {
  Json clips = Json::array();
  for (const BakedClip& clip : model.clips) clips.push_back(clip_json(model, clip));
  Json sockets = Json::array();
  for (const BakedSocket& socket : model.sockets) sockets.push_back(socket.name);
  return {{"name", model.name},
          {"encoding", "q16"},
          {"bones", model.bones.size()},
          {"vertices", model.vertices.size()},
          {"triangles", model.indices.size() / 3},
          {"materials", model.parts.size()},
          {"frames", frame_total(model)},
          {"atlas",
           {{"width", model.atlas.layout.width}, {"height", model.atlas.height}, {"layers", model.atlas.layer_count}}},
          {"bytes", model.atlas.texels.size_bytes()},
          {"bounds", {{"min", vector_json(model.bounds.min)}, {"max", vector_json(model.bounds.max)}}},
          {"clips", std::move(clips)},
          {"sockets", std::move(sockets)},
          {"error",
           {{"at_frames", figures_json(model.error.at_frames)},
            {"between", figures_json(model.error.between)},
            {"mm_per_unit", model.error.mm_per_unit},
            {"worst",
             {{"clip", model.error.worst_clip}, {"bone", model.error.worst_bone}, {"time", model.error.worst_time}}}}},
          {"notes", model.notes}};
}

std::string report_text(const BakedModel& model) {
  std::string text =
      fmt::format("{}: {} bones, {} vertices, {} triangles, {} draws\n", printable(model.name), model.bones.size(),
                  grouped(model.vertices.size()), grouped(model.indices.size() / 3), model.parts.size());
  const std::size_t width = longest_name(model.clips);
  for (const BakedClip& clip : model.clips) {
    text += fmt::format("  {:<{}}  {:4} frames at {:6.3f} a second, {:7.3f} s{}, {}\n", printable(clip.name), width,
                        clip.frame_count, clip.rate(), clip.length, clip.loops ? " loop" : "     ",
                        readable_bytes(clip_bytes(model, clip)));
  }
  text += fmt::format("atlas: {} × {} texels × {} layers, {} frames, {}\n", model.atlas.layout.width,
                      model.atlas.height, model.atlas.layer_count, grouped(frame_total(model)),
                      readable_bytes(model.atlas.texels.size_bytes()));
  text += fmt::format("error at frames: {}\n", figures_text(model.error.at_frames));
  text += fmt::format("error between:   {}\n", figures_text(model.error.between));
  text += fmt::format("  (on a character 1.8 m tall; worst in clip '{}' at {:.3f} s, bone '{}')\n",
                      model.error.worst_clip, model.error.worst_time, printable(model.error.worst_bone));
  return text;
}
