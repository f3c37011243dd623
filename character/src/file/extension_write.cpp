// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "file/extension.h"
#include "file/format.h"
#include "file/json_values.h"

namespace throng::detail::character {
namespace {

JsonObject socket_json(const BakedSocket& socket) {
  const Transform& t = socket.mesh_from_socket;
  JsonObject json{{"name", socket.name},
                  {"bone", socket.bone},
                  {"translation", vec3_json(t.translation)},
                  {"rotation", vec4_json(t.rotation)},
                  {"scale", vec3_json(t.scale)}};
  if (socket.part) json.add("part", socket.part->value);
  return json;
}

JsonObject sample_json(const BoneSample& sample) {
  return {
      {"translation", vec3_json(sample.position)}, {"rotation", vec4_json(sample.rotation)}, {"scale", sample.scale}};
}

JsonObject link_json(const PoseLink& link) {
  JsonObject json = {{"rest", sample_json(link.rest)}};
  if (link.parent) json.add("parent", *link.parent);
  if (link.rotation_slot) json.add("rotationSlot", *link.rotation_slot);
  if (link.translation_slot) json.add("translationSlot", *link.translation_slot);
  if (link.scale_slot) json.add("scaleSlot", *link.scale_slot);
  if (link.bone) json.add("bone", *link.bone);
  return json;
}

JsonArray bones_json(const CharacterDraft& model) {
  return list_json(model.bones, [&model](const BakedBone& bone) {
    JsonObject json = {{"name", bone.name}};
    if (model.skeleton.empty()) return json;
    json.add("link", bone.link);
    json.add("linkFromMesh", sample_json(bone.link_from_mesh));
    return json;
  });
}

JsonObject error_json(const ErrorReport& error) {
  return {{"millimetresPerUnit", error.mm_per_unit}, {"atFrames", figures_json(error.at_frames)},
          {"between", figures_json(error.between)},  {"worstClip", error.worst_clip},
          {"worstBone", error.worst_bone},           {"worstTime", error.worst_time}};
}

std::string_view texel_format(const CharacterDraft& model) {
  if (model.atlas.layout.texel_words == 4) return format::kRgba32Ui;
  if (model.atlas.layout.texel_words == 1) return format::kRgba8;
  const bool half =
      std::all_of(model.clips.begin(), model.clips.end(), [](const BakedClip& clip) { return is_half(clip.encoding); });
  return half ? format::kRgba16F : format::kRg32Ui;
}

JsonObject atlas_json(const CharacterDraft& model, std::uint32_t view) {
  const Atlas& atlas = model.atlas;
  JsonObject json = {{"width", atlas.layout.width},
                     {"height", atlas.height},
                     {"layers", atlas.layer_count},
                     {"format", texel_format(model)},
                     {"bufferView", view}};
  if (atlas.layout.frame_rows) json.add("frameRows", true);
  return json;
}

JsonObject draw_json(const BakedDraw& draw) {
  return {{"material", draw.material}, {"firstIndex", draw.first_index}, {"indexCount", draw.index_count}};
}

void add_fewer_bones(const std::optional<FewerBones>& errors, JsonObject& json) {
  if (errors) json.add("fewerBones", JsonArray{(*errors)[0], (*errors)[1], (*errors)[2]});
}

JsonObject level_json(const BakedLevel& level) {
  JsonObject json{
      {"error", level.error}, {"vertexCount", level.vertex_count}, {"parts", list_json(level.draws, draw_json)}};
  add_fewer_bones(level.fewer_bones, json);
  return json;
}

// Files without parts are as they were before there were any.
void add_parts(const CharacterDraft& model, const ExtensionViews& views, JsonObject& json) {
  if (model.parts.empty()) return;
  json.add("parts", list_json(model.parts, [](const BakedPart& part) {
             return JsonObject{{"name", part.name}, {"bounds", bounds_json(part.bounds)}};
           }));
  json.add("partGroups", list_json(model.part_groups, [](const PartGroup& group) {
             JsonArray parts;
             for (const PartId part : group.parts) parts.add(part.value);
             JsonObject out{{"name", group.name}, {"optional", group.optional}, {"parts", parts}};
             if (group.only_asked > 0) out.add("onlyAsked", group.only_asked);
             return out;
           }));
  json.add("vertexParts", JsonObject{{"bufferView", views.vertex_parts.value()}});
}

JsonObject source_json(const BakedSource& source) {
  return {{"node", source.node},
          {"primitive", source.primitive},
          {"firstVertex", source.first_vertex},
          {"vertexCount", source.vertex_count}};
}

JsonObject repairs_json(const Repairs& repairs) {
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
void add_upload(const UploadData& upload, const ExtensionViews& views, JsonObject& json) {
  json.add("uniformScale", upload.uniform_scale);
  JsonArray speck;
  for (const glm::vec4& band : upload.speck.bands) speck.add(vec4_json(band));
  json.add("speck", speck);
  JsonArray parts;
  for (const gpu::SpeckSums& part : upload.speck_parts) {
    for (const glm::vec4& painted : part.painted) parts.add(vec4_json(painted));
    parts.add(vec4_json(part.reach));
  }
  if (!upload.speck_parts.empty()) json.add("speckParts", parts);
  if (views.skin_vertices) json.add("skinVertices", JsonObject{{"bufferView", *views.skin_vertices}});
}

}  // namespace

JsonObject slots_json(const std::vector<SlotKind>& slots, std::uint32_t view) {
  return {{"slots", list_json(slots,
                              [](SlotKind kind) {
                                return JsonText(std::string(format::kSlotKinds[static_cast<std::size_t>(kind)]));
                              })},
          {"bufferView", view}};
}

JsonObject extension_json(const Character& character, const ExtensionViews& views) {
  const CharacterDraft& model = character.draft();
  JsonObject json = {{"version", fmt::format("{}.{}", format::kVersionMajor, format::kVersionMinor)},
                     {"hash", std::string(format::kHashDigits, '0')},
                     {"name", model.name},
                     {"mode", model.mode == BakeMode::bones ? format::kModeBones : format::kModeVertices},
                     {"tangentsAnimated", model.tangents_animated}};
  if (views.atlas) json.add("atlas", atlas_json(model, *views.atlas));
  if (views.channels) json.add("channels", slots_json(model.channel_slots, *views.channels));
  if (views.table) json.add("table", JsonObject{{"bufferView", *views.table}});
  if (views.baked_from_source) json.add("bakedFromSource", JsonObject{{"bufferView", *views.baked_from_source}});
  json.add("bounds", bounds_json(model.bounds));
  json.add("error", error_json(model.error));
  json.add("halfFloatBytes", model.half_float_bytes);
  json.add("keyBytes", model.key_bytes);
  add_upload(character.upload(), views, json);
  json.add("clips",
           list_json(model.clips, [&model](const BakedClip& clip) { return clip_json(clip, !model.morphs.empty()); }));
  json.add("sockets", list_json(model.sockets, socket_json));
  json.add("bones", bones_json(model));
  json.add("skeleton", list_json(model.skeleton, link_json));
  json.add("levels", list_json(model.levels, level_json));
  add_fewer_bones(model.fewer_bones, json);
  add_parts(model, views, json);
  json.add("sources", list_json(model.sources, source_json));
  json.add("repairs", repairs_json(model.repairs));
  const auto text_json = [](const std::string& text) { return JsonText(text); };
  json.add("notes", list_json(model.notes, text_json));
  if (!model.warnings.empty()) json.add("warnings", list_json(model.warnings, text_json));
  return json;
}

}  // namespace throng::detail::character
