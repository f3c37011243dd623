#include <charconv>

#include "asset_json.h"
#include "format.h"

namespace throng {
namespace {

using Json = nlohmann::json;

// "1.0" → 1. Nothing when it is not two whole numbers with a point between them.
std::optional<std::uint32_t> major_version(std::string_view text) {
  const auto whole = [](std::string_view digits) -> std::optional<std::uint32_t> {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || !whole(text.substr(point + 1))) return std::nullopt;
  return whole(text.substr(0, point));
}

void check_version(JsonFields& fields) {
  const std::string version = fields.text(fields.root(), "version");
  const auto major = major_version(version);
  if (!major || *major == 0) {
    fields.refuse(fmt::format("'version' is '{}', not two whole numbers such as 1.0", version));
  } else if (*major > format::kVersionMajor) {
    fields.refuse(
        fmt::format("format version {} is newer than this program, which reads {}.x: update it or bake again with it",
                    version, format::kVersionMajor));
  }
  const std::string encoding = fields.text(fields.root(), "encoding");
  if (encoding != format::kEncoding) fields.refuse(fmt::format("encoding '{}' is not known; q16 is", encoding));
}

BakedClip read_clip(JsonFields& fields, const Json& json) {
  BakedClip clip;
  clip.name = fields.text(json, "name");
  clip.source_start = fields.number(json, "sourceStart");
  clip.length = fields.number(json, "length");
  clip.loops = fields.boolean(json, "loops");
  clip.frame_count = fields.u32(json, "frameCount");
  clip.first_frame = fields.u32(json, "firstFrame");
  clip.layer = fields.u32(json, "layer");
  clip.range.pivot_min = fields.vec3(json, "pivotMin");
  clip.range.pivot_size = fields.vec3(json, "pivotSize");
  clip.range.scale_max = fields.number(json, "scaleMax");
  clip.bounds = fields.bounds(json, "bounds");
  for (const Json& event : fields.array(json, "events")) {
    clip.events.push_back({fields.number(event, "time"), fields.text(event, "name")});
    if (!fields.ok()) break;
  }
  return clip;
}

BakedSocket read_socket(JsonFields& fields, const Json& json) {
  BakedSocket socket;
  socket.name = fields.text(json, "name");
  socket.bone = fields.u32(json, "bone");
  socket.mesh_from_socket.translation = fields.vec3(json, "translation");
  const glm::dvec4 q = fields.vec4(json, "rotation");
  socket.mesh_from_socket.rotation = glm::dquat(q.w, q.x, q.y, q.z);
  socket.mesh_from_socket.scale = fields.vec3(json, "scale");
  return socket;
}

ErrorFigures read_figures(JsonFields& fields, const Json& json) {
  return {fields.number(json, "max"), fields.number(json, "p999"), fields.number(json, "rms"),
          fields.number(json, "normalMaxDegrees")};
}

ErrorReport read_error(JsonFields& fields, const Json& json) {
  ErrorReport error;
  error.mm_per_unit = fields.number(json, "millimetresPerUnit");
  error.at_frames = read_figures(fields, fields.object(json, "atFrames"));
  error.between = read_figures(fields, fields.object(json, "between"));
  error.worst_clip = fields.text(json, "worstClip");
  error.worst_bone = fields.text(json, "worstBone");
  error.worst_time = fields.number(json, "worstTime");
  return error;
}

BakedSource read_source(JsonFields& fields, const Json& json) {
  return {fields.u32(json, "node"), fields.u32(json, "primitive"), fields.u32(json, "firstVertex"),
          fields.u32(json, "vertexCount")};
}

// Stops at the first bad element, so a long list of them costs nothing.
template <class Read>
auto read_list(JsonFields& fields, const char* key, const Read& read) {
  std::vector<decltype(read(fields, fields.root()))> out;
  for (const Json& json : fields.array(fields.root(), key)) {
    if (!json.is_object()) fields.refuse(fmt::format("'{}' holds something that is not an object", key));
    if (!fields.ok()) break;
    out.push_back(read(fields, json));
  }
  return out;
}

void read_notes(JsonFields& fields, std::vector<std::string>& notes) {
  for (const Json& note : fields.array(fields.root(), "notes")) {
    if (!note.is_string()) return fields.refuse("'notes' holds something that is not a text");
    notes.push_back(note.get<std::string>());
  }
}

}  // namespace

Result<std::uint32_t> read_extension(const Json& extension, BakedModel& model) {
  JsonFields fields(extension, std::string(format::kExtension));
  check_version(fields);
  const Json& root = fields.root();
  if (fields.text(root, "hash").size() != format::kHashDigits) fields.refuse("'hash' is not 16 digits");
  model.name = fields.text(root, "name");
  const Json& atlas = fields.object(root, "atlas");
  model.atlas.layout = {fields.u32(atlas, "width"), fields.u32(atlas, "rowsPerFrame")};
  model.atlas.height = fields.u32(atlas, "height");
  model.atlas.layer_count = fields.u32(atlas, "layers");
  const std::uint32_t view = fields.u32(atlas, "bufferView");
  model.bounds = fields.bounds(root, "bounds");
  model.error = read_error(fields, fields.object(root, "error"));
  model.clips = read_list(fields, "clips", read_clip);
  model.sockets = read_list(fields, "sockets", read_socket);
  model.bones = read_list(fields, "bones", [](JsonFields& f, const Json& json) {
    return BakedBone{f.text(json, "name"), glm::vec3(f.vec3(json, "pivot"))};
  });
  model.sources = read_list(fields, "sources", read_source);
  read_notes(fields, model.notes);
  if (auto ok = fields.result(); !ok) return fail(std::move(ok));
  return view;
}

}  // namespace throng
