#include "asset_json.h"
#include "format.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json vec3(const Vector& v) {
  return Json::array({static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
}

Json bounds_json(const Bounds& bounds) { return {{"min", vec3(bounds.min)}, {"max", vec3(bounds.max)}}; }

Json clip_json(const BakedClip& clip) {
  Json events = Json::array();
  for (const BakedEvent& event : clip.events) events.push_back({{"time", event.time}, {"name", event.name}});
  return {{"name", clip.name},
          {"sourceStart", clip.source_start},
          {"length", clip.length},
          {"loops", clip.loops},
          {"frameCount", clip.frame_count},
          {"firstFrame", clip.first_frame},
          {"layer", clip.layer},
          {"pivotMin", vec3(clip.range.pivot_min)},
          {"pivotSize", vec3(clip.range.pivot_size)},
          {"scaleMax", clip.range.scale_max},
          {"bounds", bounds_json(clip.bounds)},
          {"events", std::move(events)}};
}

Json socket_json(const BakedSocket& socket) {
  const Transform& t = socket.mesh_from_socket;
  return {{"name", socket.name},
          {"bone", socket.bone},
          {"translation", vec3(t.translation)},
          {"rotation", Json::array({t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w})},
          {"scale", vec3(t.scale)}};
}

Json figures_json(const ErrorFigures& figures) {
  return {{"max", figures.max_mm},
          {"p999", figures.p999_mm},
          {"rms", figures.rms_mm},
          {"normalMaxDegrees", figures.normal_max_degrees}};
}

Json error_json(const ErrorReport& error) {
  return {{"millimetresPerUnit", error.mm_per_unit}, {"atFrames", figures_json(error.at_frames)},
          {"between", figures_json(error.between)},  {"worstClip", error.worst_clip},
          {"worstBone", error.worst_bone},           {"worstTime", error.worst_time}};
}

template <class T, class Convert>
Json list(const std::vector<T>& values, const Convert& convert) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(convert(value));
  return array;
}

Json atlas_json(const Atlas& atlas, std::uint32_t view) {
  return {{"width", atlas.layout.width},
          {"height", atlas.height},
          {"layers", atlas.layer_count},
          {"rowsPerFrame", atlas.layout.rows_per_frame},
          {"bufferView", view}};
}

}  // namespace

Json extension_json(const BakedModel& model, std::uint32_t atlas_view) {
  const auto bone_json = [](const BakedBone& bone) { return Json{{"name", bone.name}, {"pivot", vec3(bone.pivot)}}; };
  const auto source_json = [](const BakedSource& source) {
    return Json{{"node", source.node},
                {"primitive", source.primitive},
                {"firstVertex", source.first_vertex},
                {"vertexCount", source.vertex_count}};
  };
  return {{"version", fmt::format("{}.{}", format::kVersionMajor, format::kVersionMinor)},
          {"hash", std::string(format::kHashDigits, '0')},
          {"name", model.name},
          {"encoding", format::kEncoding},
          {"atlas", atlas_json(model.atlas, atlas_view)},
          {"bounds", bounds_json(model.bounds)},
          {"error", error_json(model.error)},
          {"clips", list(model.clips, clip_json)},
          {"sockets", list(model.sockets, socket_json)},
          {"bones", list(model.bones, bone_json)},
          {"sources", list(model.sources, source_json)},
          {"notes", model.notes}};
}

}  // namespace throng
