// SPDX-License-Identifier: Apache-2.0
#include "file/near_section.h"

#include "file/extension.h"
#include "file/json_fields.h"
#include "file/json_values.h"
#include "file/read_mesh.h"
#include "throng/base/try.h"
#include "throng/character/motion_channels.h"

namespace throng::detail::character {
namespace {

JsonObject transform_json(const Transform& t) {
  return {
      {"translation", vec3_json(t.translation)}, {"rotation", vec4_json(t.rotation)}, {"scale", vec3_json(t.scale)}};
}

// Of a bone that moves in words of near characters alone.
JsonObject own_json(const BoneChannels& bone) {
  JsonObject json = transform_json(bone.still);
  if (bone.rotation) json.add("rotationSlot", *bone.rotation);
  if (bone.translation) json.add("translationSlot", *bone.translation);
  if (bone.scale) json.add("scaleSlot", *bone.scale);
  return json;
}

JsonArray bones_json(const MotionData& data) {
  JsonArray list;
  for (std::size_t i = 0; i < data.bones.size(); ++i) {
    const MotionBone& bone = data.bones[i];
    JsonObject json = {{"name", bone.name}, {"rest", transform_json(bone.rest)}};
    if (bone.parent) json.add("parent", *bone.parent);
    if (bone.still) json.add("still", transform_json(*bone.still));
    const auto& own = data.own_channels.bones;
    if (i < own.size() && own[i].covered) json.add("own", own_json(own[i]));
    list.add(json);
  }
  return list;
}

JsonObject socket_json(const MotionSocket& socket) {
  return {{"name", socket.name}, {"bone", socket.bone}, {"boneFromSocket", transform_json(socket.bone_from_socket)}};
}

// A clip in localv uses the words of the far clip, and has some of its own for bones that far characters do not have.
JsonObject clip_json(const MotionClip& clip) {
  JsonObject json = {{"name", clip.name},
                     {"length", static_cast<double>(clip.length)},
                     {"loops", clip.loops},
                     {"lists", clip.list_count},
                     {"events", list_json(clip.events, [](const ClipEvent& event) {
                        return JsonObject{{"time", event.time}, {"name", event.name}};
                      })}};
  if (clip.frames) json.add("channels", true);
  if (clip.own_frames) {
    JsonObject own = channels_json(clip.own_frames->words);
    own.add("frameCount", clip.own_frames->frame_count);
    json.add("ownChannels", own);
  }
  if (clip.ground_count > 0) json.add("groundKeys", clip.ground_count);
  if (clip.root_steps) json.add("rootSteps", *clip.root_steps);
  json.add("inPlace", clip.in_place);
  return json;
}

JsonObject piece_json(const NearPiece& piece) {
  return {{"name", piece.name},
          {"part", piece.part},
          {"material", piece.material},
          {"vertexCount", piece.vertex_count},
          {"indexCount", piece.index_count},
          {"chunkCount", piece.chunk_count},
          {"targetCount", piece.target_count}};
}

// Names a view of an array, unless it is empty.
template <class Range>
void put_view(JsonObject& json, const char* key, const Range& values, const AddView& add_view) {
  if (const auto view = add_view(std::as_bytes(std::span(values)))) json.add(key, JsonObject{{"bufferView", *view}});
}

JsonObject motion_json(const MotionData& data, const AddView& add_view) {
  JsonObject json = {{"bones", bones_json(data)},
                     {"sockets", list_json(data.sockets, socket_json)},
                     {"clips", list_json(data.clips, clip_json)}};
  if (data.root_bone) json.add("rootBone", *data.root_bone);
  put_view(json, "bindings", data.bindings, add_view);
  put_view(json, "restMorphs", data.rest_morphs, add_view);
  put_view(json, "keyLists", data.lists, add_view);
  put_view(json, "keyTimes", data.times, add_view);
  put_view(json, "keyValues", data.values, add_view);
  put_view(json, "rootPaths", data.root_paths, add_view);
  if (const auto view = add_view(std::as_bytes(data.own_channels.words)))
    json.add("ownChannels", slots_json(data.own_channels.slots, *view));
  return json;
}

JsonObject mesh_json(const NearMeshData& data, const AddView& add_view) {
  JsonObject json = {{"parts", list_json(data.pieces, piece_json)},
                     {"targets", list_json(data.target_names, [](const std::string& name) { return JsonText(name); })}};
  put_view(json, "vertices", data.vertices, add_view);
  put_view(json, "surfaces", data.surfaces, add_view);
  put_view(json, "extraInfluences", data.extra_influences, add_view);
  put_view(json, "morphFirsts", data.morph_firsts, add_view);
  put_view(json, "morphDeltas", data.deltas, add_view);
  put_view(json, "chunks", data.chunks, add_view);
  put_view(json, "columns", data.columns, add_view);
  put_view(json, "indices", data.indices, add_view);
  put_view(json, "boxes", data.boxes, add_view);
  return json;
}

Transform read_transform(JsonFields& fields, const Json& json) {
  const glm::dvec4 q = fields.vec4(json, "rotation");
  return {fields.vec3(json, "translation"), glm::dquat(q.w, q.x, q.y, q.z), fields.vec3(json, "scale")};
}

MotionBone read_bone(JsonFields& fields, const Json& json) {
  MotionBone bone{fields.text(json, "name"), fields.u32_if(json, "parent"),
                  read_transform(fields, fields.object(json, "rest"))};
  if (JsonFields::has(json, "still")) bone.still = read_transform(fields, fields.object(json, "still"));
  return bone;
}

BoneChannels read_own(JsonFields& fields, const Json& json) {
  return {true, fields.u32_if(json, "rotationSlot"), fields.u32_if(json, "translationSlot"),
          fields.u32_if(json, "scaleSlot"), read_transform(fields, json)};
}

MotionSocket read_socket(JsonFields& fields, const Json& json) {
  return {fields.text(json, "name"), fields.u32(json, "bone"),
          read_transform(fields, fields.object(json, "boneFromSocket"))};
}

// `far`: the character's clip of the same number, if there is one.
MotionClip read_clip(JsonFields& fields, const Json& json, const BakedClip* far) {
  MotionClip clip;
  clip.name = fields.text(json, "name");
  clip.length = static_cast<float>(fields.number(json, "length"));
  clip.loops = fields.boolean(json, "loops");
  clip.list_count = fields.u32(json, "lists");
  for (const Json& event : fields.array(json, "events"))
    clip.events.push_back({fields.number(event, "time"), fields.text(event, "name")});
  clip.ground_count = fields.u32_or(json, "groundKeys", 0);
  clip.root_steps = fields.u32_if(json, "rootSteps");
  // Files that do not say were written before they could: what was extracted shows in the far half all the same.
  clip.in_place = fields.boolean_or(json, "inPlace", far != nullptr && !far->root_motion.empty());
  if (!fields.boolean_or(json, "channels", false)) return clip;
  if (far != nullptr) clip.frames = motion_frames(*far);
  if (!clip.frames) fields.refuse(fmt::format("clip '{}' has channels near, but none far", clip.name));
  if (!JsonFields::has(json, "ownChannels")) return clip;
  const Json& own = fields.object(json, "ownChannels");
  clip.own_frames = MotionFrames{read_channels(fields, own), fields.u32(own, "frameCount")};
  return clip;
}

// The file's word for pieces is parts. Counts are in it; where a piece begins follows from those before it. Sums that
// wrap are refused afterwards, for they leave the arrays' ends.
NearPiece read_piece(JsonFields& fields, const Json& json, const std::vector<NearPiece>& before) {
  NearPiece piece;
  piece.name = fields.text(json, "name");
  piece.part = fields.u32_or(json, "part", 0);
  piece.material = fields.u32(json, "material");
  piece.vertex_count = fields.u32(json, "vertexCount");
  piece.index_count = fields.u32(json, "indexCount");
  piece.chunk_count = fields.u32(json, "chunkCount");
  piece.target_count = fields.u32(json, "targetCount");
  if (before.empty()) return piece;
  const NearPiece& last = before.back();
  piece.first_vertex = last.first_vertex + last.vertex_count;
  piece.first_index = last.first_index + last.index_count;
  piece.first_chunk = last.first_chunk + last.chunk_count;
  piece.first_target = last.first_target + last.target_count;
  return piece;
}

// The arrays of an object by the views it names.
class Views {
 public:
  Views(JsonFields& fields, const Json& json, const std::vector<std::span<const std::byte>>& views)
      : fields_(fields), json_(json), views_(views) {}

  template <class T>
  std::span<const T> get(const char* key) {
    if (!JsonFields::has(json_, key)) return {};
    const std::uint32_t view = fields_.u32(fields_.object(json_, key), "bufferView");
    if (!fields_.ok()) return {};
    const auto found = view_as<T>(views_, view);
    if (!found) fields_.refuse(found.error().message);
    return found.value_or(std::span<const T>());
  }
  template <class T>
  std::vector<T> copy(const char* key) {
    const std::span<const T> found = get<T>(key);
    return {found.begin(), found.end()};
  }

 private:
  JsonFields& fields_;
  const Json& json_;
  const std::vector<std::span<const std::byte>>& views_;
};

MotionData read_motion(JsonFields& fields, const Json& json, const std::vector<std::span<const std::byte>>& all,
                       const CharacterDraft& model) {
  MotionData data;
  if (JsonFields::has(json, "rootBone")) data.root_bone = fields.u32(json, "rootBone");
  const bool has_own = JsonFields::has(json, "ownChannels");
  for (const Json& bone : fields.array(json, "bones")) {
    data.bones.push_back(read_bone(fields, bone));
    if (!has_own) continue;
    data.own_channels.bones.emplace_back();
    if (JsonFields::has(bone, "own")) data.own_channels.bones.back() = read_own(fields, fields.object(bone, "own"));
  }
  for (const Json& socket : fields.array(json, "sockets")) data.sockets.push_back(read_socket(fields, socket));
  for (const Json& clip : fields.array(json, "clips")) {
    const std::size_t number = data.clips.size();
    data.clips.push_back(read_clip(fields, clip, number < model.clips.size() ? &model.clips[number] : nullptr));
  }
  Views views(fields, json, all);
  data.bindings = views.copy<MotionBinding>("bindings");
  data.rest_morphs = views.copy<float>("restMorphs");
  data.lists = views.get<std::uint32_t>("keyLists");
  data.times = views.get<float>("keyTimes");
  data.values = views.get<float>("keyValues");
  data.root_paths = views.get<float>("rootPaths");
  if (!has_own) return data;
  data.own_channels.slots = read_slots(fields, fields.object(json, "ownChannels"));
  data.own_channels.words = views.get<std::uint32_t>("ownChannels");
  return data;
}

NearMeshData read_near_mesh(JsonFields& fields, const Json& json, const std::vector<std::span<const std::byte>>& all) {
  NearMeshData data;
  for (const Json& piece : fields.array(json, "parts")) data.pieces.push_back(read_piece(fields, piece, data.pieces));
  for (const Json& name : fields.array(json, "targets")) {
    if (!name.is_text()) fields.refuse("'targets' holds something that is not a text");
    if (name.is_text()) data.target_names.push_back(name.text());
  }
  Views views(fields, json, all);
  data.vertices = views.get<glm::uvec4>("vertices");
  data.surfaces = views.get<glm::uvec4>("surfaces");
  data.extra_influences = views.get<glm::uvec4>("extraInfluences");
  data.morph_firsts = views.get<std::uint32_t>("morphFirsts");
  data.deltas = views.get<gpu::MorphDelta>("morphDeltas");
  data.chunks = views.get<gpu::ChunkRecord>("chunks");
  data.columns = views.get<std::uint32_t>("columns");
  data.indices = views.get<std::uint32_t>("indices");
  data.boxes = views.get<std::uint32_t>("boxes");
  return data;
}

Result<void> read(JsonFields& fields, const std::vector<std::span<const std::byte>>& views, CharacterDraft& model) {
  MotionData motion = read_motion(fields, fields.object(fields.root(), "motion"), views, model);
  THRONG_CHECK(fields.result());
  THRONG_TRY(motion.channels, motion_channels(model, motion.bones));
  motion.storage = model.storage;
  THRONG_TRY(model.motion, build_motion(std::move(motion)));
  if (!JsonFields::has(fields.root(), "mesh")) return {};
  NearMeshData mesh = read_near_mesh(fields, fields.object(fields.root(), "mesh"), views);
  THRONG_CHECK(fields.result());
  mesh.storage = model.storage;
  THRONG_TRY(model.near_mesh, build_near_mesh(std::move(mesh), *model.motion));
  return {};
}

}  // namespace

std::optional<JsonObject> near_json(const CharacterDraft& model, const AddView& add_view) {
  if (!model.motion) return std::nullopt;
  JsonObject json = {{"motion", motion_json(model.motion->data(), add_view)}};
  if (model.near_mesh) json.add("mesh", mesh_json(model.near_mesh->data(), add_view));
  return json;
}

Result<void> read_near(const Json& near, const std::vector<std::span<const std::byte>>& views, CharacterDraft& model) {
  JsonFields fields(near, "near");
  auto done = read(fields, views, model);
  if (!done) return fail(with_context("near", std::move(done).error()));
  return {};
}

}  // namespace throng::detail::character
