// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "file/extension.h"
#include "file/format.h"
#include "file/json_values.h"

namespace throng::detail::character {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson socket_json(const BakedSocket& socket) {
  const Transform& t = socket.mesh_from_socket;
  return {{"name", socket.name},
          {"bone", socket.bone},
          {"translation", vec3_json(t.translation)},
          {"rotation", quaternion_json(t.rotation)},
          {"scale", vec3_json(t.scale)}};
}

OrderedJson sample_json(const BoneSample& sample) {
  return {{"translation", vec3_json(sample.position)},
          {"rotation", quaternion_json(sample.rotation)},
          {"scale", sample.scale}};
}

OrderedJson link_json(const PoseLink& link) {
  OrderedJson json = {{"rest", sample_json(link.rest)}};
  if (link.parent) json["parent"] = *link.parent;
  if (link.rotation_slot) json["rotationSlot"] = *link.rotation_slot;
  if (link.translation_slot) json["translationSlot"] = *link.translation_slot;
  return json;
}

OrderedJson bones_json(const CharacterDraft& model) {
  return list_json(model.bones, [&model](const BakedBone& bone) {
    OrderedJson json = {{"name", bone.name}};
    if (model.skeleton.empty()) return json;
    json["link"] = bone.link;
    json["linkFromMesh"] = sample_json(bone.link_from_mesh);
    return json;
  });
}

OrderedJson error_json(const ErrorReport& error) {
  return {{"millimetresPerUnit", error.mm_per_unit}, {"atFrames", figures_json(error.at_frames)},
          {"between", figures_json(error.between)},  {"worstClip", error.worst_clip},
          {"worstBone", error.worst_bone},           {"worstTime", error.worst_time}};
}

std::string_view texel_format(const CharacterDraft& model) {
  if (model.atlas.layout.texel_words == 4) return format::kRgba32Ui;
  const bool half =
      std::all_of(model.clips.begin(), model.clips.end(), [](const BakedClip& clip) { return is_half(clip.encoding); });
  return half ? format::kRgba16F : format::kRg32Ui;
}

OrderedJson atlas_json(const CharacterDraft& model, std::uint32_t view) {
  const Atlas& atlas = model.atlas;
  return {{"width", atlas.layout.width},
          {"height", atlas.height},
          {"layers", atlas.layer_count},
          {"format", texel_format(model)},
          {"bufferView", view}};
}

OrderedJson part_json(const BakedPart& part) {
  return {{"material", part.material}, {"firstIndex", part.first_index}, {"indexCount", part.index_count}};
}

OrderedJson level_json(const BakedLevel& level) {
  return {{"error", level.error}, {"vertexCount", level.vertex_count}, {"parts", list_json(level.parts, part_json)}};
}

OrderedJson source_json(const BakedSource& source) {
  return {{"node", source.node},
          {"primitive", source.primitive},
          {"firstVertex", source.first_vertex},
          {"vertexCount", source.vertex_count}};
}

OrderedJson repairs_json(const Repairs& repairs) {
  return {{"weightsRescaled", repairs.weights_rescaled},
          {"influencesDropped", repairs.influences_dropped},
          {"verticesCut", repairs.vertices_cut},
          {"mostWeightDropped", repairs.most_weight_dropped},
          {"meanWeightDropped", repairs.mean_weight_dropped},
          {"verticesUnweighted", repairs.vertices_unweighted},
          {"quaternionsFixed", repairs.quaternions_fixed},
          {"normalsFixed", repairs.normals_fixed},
          {"faultsMended", repairs.faults_mended}};
}

// What renderers upload besides the mesh and the atlas.
void add_upload(const UploadData& upload, const ExtensionViews& views, OrderedJson& json) {
  json["uniformScale"] = upload.uniform_scale;
  json["speck"] = OrderedJson::array();
  for (const glm::vec4& band : upload.speck.bands) json["speck"].push_back({band.x, band.y, band.z, band.w});
  json["skinVertices"] = {{"bufferView", views.skin_vertices.value()}};
}

}  // namespace

OrderedJson extension_json(const Character& character, const ExtensionViews& views) {
  const CharacterDraft& model = character.draft();
  OrderedJson json = {{"version", fmt::format("{}.{}", format::kVersionMajor, format::kVersionMinor)},
                      {"hash", std::string(format::kHashDigits, '0')},
                      {"name", model.name},
                      {"mode", model.mode == BakeMode::bones ? format::kModeBones : format::kModeVertices},
                      {"tangentsAnimated", model.tangents_animated},
                      {"atlas", atlas_json(model, views.atlas)}};
  if (views.table) json["table"] = {{"bufferView", *views.table}};
  if (views.baked_from_source) json["bakedFromSource"] = {{"bufferView", *views.baked_from_source}};
  json["bounds"] = bounds_json(model.bounds);
  json["error"] = error_json(model.error);
  json["halfFloatBytes"] = model.half_float_bytes;
  add_upload(character.upload(), views, json);
  json["clips"] = list_json(model.clips, clip_json);
  json["sockets"] = list_json(model.sockets, socket_json);
  json["bones"] = bones_json(model);
  json["skeleton"] = list_json(model.skeleton, link_json);
  json["levels"] = list_json(model.levels, level_json);
  json["sources"] = list_json(model.sources, source_json);
  json["repairs"] = repairs_json(model.repairs);
  json["notes"] = model.notes;
  return json;
}

}  // namespace throng::detail::character
