// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "file/extension.h"
#include "file/format.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

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

// The file's major version, refused when this program cannot read it.
std::uint32_t read_version(JsonFields& fields) {
  const std::string version = fields.text(fields.root(), "version");
  const auto major = major_version(version);
  if (!major || *major == 0) {
    fields.refuse(fmt::format("'version' is '{}', not two whole numbers such as 1.0", version));
  } else if (*major > format::kVersionMajor) {
    fields.refuse(fmt::format(
        "format version {} is newer than this program, which reads up to {}.x: update it or bake again with it",
        version, format::kVersionMajor));
  }
  return major.value_or(format::kVersionMajor);
}

BoneSample read_sample(JsonFields& fields, const Json& json) {
  const glm::dvec4 q = fields.vec4(json, "rotation");
  return {glm::dquat(q.w, q.x, q.y, q.z), fields.vec3(json, "translation"), fields.number(json, "scale")};
}

BakedSocket read_socket(JsonFields& fields, const Json& json) {
  BakedSocket socket;
  socket.name = fields.text(json, "name");
  socket.bone = fields.u32(json, "bone");
  socket.mesh_from_socket.translation = fields.vec3(json, "translation");
  const glm::dvec4 q = fields.vec4(json, "rotation");
  socket.mesh_from_socket.rotation = glm::dquat(q.w, q.x, q.y, q.z);
  socket.mesh_from_socket.scale = fields.vec3(json, "scale");
  if (const auto part = fields.u32_if(json, "part")) socket.part = PartId(*part);
  return socket;
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

PoseLink read_link(JsonFields& fields, const Json& json) {
  PoseLink link;
  link.parent = fields.u32_if(json, "parent");
  link.rest = read_sample(fields, fields.object(json, "rest"));
  link.rotation_slot = fields.u32_if(json, "rotationSlot");
  link.translation_slot = fields.u32_if(json, "translationSlot");
  link.scale_slot = fields.u32_if(json, "scaleSlot");
  link.bone = fields.u32_if(json, "bone");
  return link;
}

// Stops at the first bad element, so a long list of them costs nothing.
template <class Read>
auto read_list(JsonFields& fields, const Json& parent, const char* key, const Read& read) {
  std::vector<decltype(read(fields, parent))> out;
  for (const Json& json : fields.array(parent, key)) {
    if (!json.is_object()) fields.refuse(fmt::format("'{}' holds something that is not an object", key));
    if (!fields.ok()) break;
    out.push_back(read(fields, json));
  }
  return out;
}

BakedDraw read_draw(JsonFields& fields, const Json& json) {
  return {fields.u32(json, "material"), fields.u32(json, "firstIndex"), fields.u32(json, "indexCount")};
}

std::optional<FewerBones> read_fewer_bones(JsonFields& fields, const Json& json) {
  if (!JsonFields::has(json, "fewerBones")) return std::nullopt;
  const glm::dvec3 errors = fields.vec3(json, "fewerBones");
  return FewerBones{errors.x, errors.y, errors.z};
}

BakedLevel read_level(JsonFields& fields, const Json& json) {
  return {fields.number(json, "error"), fields.u32(json, "vertexCount"), read_list(fields, json, "parts", read_draw),
          read_fewer_bones(fields, json)};
}

PartGroup read_group(JsonFields& fields, const Json& json) {
  PartGroup group{
      fields.text(json, "name"), fields.boolean(json, "optional"), {}, fields.u32_if(json, "onlyAsked").value_or(0)};
  for (const Json& part : fields.array(json, "parts")) {
    if (!part.is_whole() || part.whole() >= kMostParts)
      fields.refuse("'parts' of a group holds something that is not a part's number");
    if (!fields.ok()) break;
    group.parts.emplace_back(static_cast<std::uint32_t>(part.whole()));
  }
  return group;
}

// Files have parts from version 3.1 on, where there are any.
void read_parts(JsonFields& fields, ReadExtension& read, CharacterDraft& model) {
  const Json& root = fields.root();
  if (!JsonFields::has(root, "parts")) return;
  model.parts = read_list(fields, root, "parts", [](JsonFields& f, const Json& json) {
    return BakedPart{f.text(json, "name"), f.bounds(json, "bounds")};
  });
  model.part_groups = read_list(fields, root, "partGroups", read_group);
  read.views.vertex_parts = fields.u32(fields.object(root, "vertexParts"), "bufferView");
}

Repairs read_repairs(JsonFields& fields, const Json& json) {
  Repairs repairs;
  repairs.weights_rescaled = fields.u64(json, "weightsRescaled");
  repairs.influences_dropped = fields.u64(json, "influencesDropped");
  repairs.vertices_cut = fields.u64(json, "verticesCut");
  repairs.most_weight_dropped = fields.number(json, "mostWeightDropped");
  repairs.mean_weight_dropped = fields.number(json, "meanWeightDropped");
  repairs.vertices_unweighted = fields.u64(json, "verticesUnweighted");
  repairs.quaternions_fixed = fields.u64(json, "quaternionsFixed");
  repairs.normals_fixed = fields.u64(json, "normalsFixed");
  // Files from before importers mended have none.
  if (JsonFields::has(json, "faultsMended")) repairs.faults_mended = fields.u64(json, "faultsMended");
  return repairs;
}

std::vector<std::string> read_texts(JsonFields& fields, const char* name) {
  std::vector<std::string> texts;
  for (const Json& text : fields.array(fields.root(), name)) {
    if (text.is_text()) {
      texts.push_back(text.text());
    } else {
      fields.refuse(fmt::format("'{}' holds something that is not a text", name));
    }
  }
  return texts;
}

// Versions 1 and 2 use the same names for these.
std::uint32_t read_atlas_size(JsonFields& fields, const Json& atlas, CharacterDraft& model) {
  model.atlas.layout.width = fields.u32(atlas, "width");
  model.atlas.height = fields.u32(atlas, "height");
  model.atlas.layer_count = fields.u32(atlas, "layers");
  return fields.u32(atlas, "bufferView");
}

std::uint32_t read_texel_words(JsonFields& fields, const Json& atlas, const CharacterDraft& model) {
  const std::string name = fields.text(atlas, "format");
  const bool known =
      name == format::kRgba32Ui || name == format::kRg32Ui || name == format::kRgba16F || name == format::kRgba8;
  if (!known) fields.refuse(fmt::format("'{}' is no texel format of an atlas", name));
  for (const BakedClip& clip : model.clips) {
    if (name == format::kRgba16F && !is_half(clip.encoding)) {
      fields.refuse(fmt::format("clip '{}' is not of half floats, but the atlas is", clip.name));
    }
  }
  return name == format::kRgba32Ui ? 4 : name == format::kRgba8 ? 1 : 2;
}

BakeMode read_mode(JsonFields& fields) {
  const std::string name = fields.text(fields.root(), "mode");
  if (name == format::kModeVertices) return BakeMode::vertices;
  if (name != format::kModeBones) fields.refuse(fmt::format("'{}' is no mode of a bake", name));
  return BakeMode::bones;
}

// Version 1: one encoding for all, and pivots that all clips share.
ReadExtension read_version_1(JsonFields& fields, CharacterDraft& model) {
  ReadExtension read;
  const Json& root = fields.root();
  const std::string encoding = fields.text(root, "encoding");
  if (encoding != name_of(Encoding::q16)) fields.refuse(fmt::format("encoding '{}' is not known; q16 is", encoding));
  model.bones = read_list(fields, root, "bones", [&read](JsonFields& f, const Json& json) {
    read.table.emplace_back(glm::vec3(f.vec3(json, "pivot")), 0.0f);
    return BakedBone{f.text(json, "name"), 0, {}};
  });
  const Json& atlas = fields.object(root, "atlas");
  read.views.atlas = read_atlas_size(fields, atlas, model);
  const std::size_t bones = model.bones.size();
  const std::uint32_t width = model.atlas.layout.width;
  if (width > bones || fields.u32(atlas, "rowsPerFrame") != ceil_divide(bones, width)) {
    fields.refuse(fmt::format("rows of {} texels as the atlas has them do not fit {} bones", width, bones));
  }
  return read;
}

// What renderers upload besides the mesh and the atlas: version 3.
void read_upload(JsonFields& fields, BakeMode mode, ReadExtension& read) {
  const Json& root = fields.root();
  read.upload.uniform_scale = fields.boolean(root, "uniformScale");
  const std::vector<glm::dvec4> bands = fields.vec4_rows(root, "speck");
  if (bands.size() != gpu::kSpeckBands) {
    return fields.refuse(fmt::format("'speck' has {} rows where {} belong", bands.size(), gpu::kSpeckBands));
  }
  std::ranges::transform(bands, std::begin(read.upload.speck.bands),
                         [](const glm::dvec4& band) { return glm::vec4(band); });
  if (JsonFields::has(root, "speckParts")) {
    constexpr std::size_t kRows = gpu::kSpeckBands + 1;
    const std::vector<glm::dvec4> rows = fields.vec4_rows(root, "speckParts");
    if (rows.size() % kRows != 0)
      return fields.refuse(fmt::format("'speckParts' has {} rows, not {} a part", rows.size(), kRows));
    for (std::size_t i = 0; i < rows.size(); i += kRows) {
      gpu::SpeckSums& part = read.upload.speck_parts.emplace_back();
      for (std::size_t band = 0; band < gpu::kSpeckBands; ++band) part.painted[band] = glm::vec4(rows[i + band]);
      part.reach = glm::vec4(rows[i + gpu::kSpeckBands]);
    }
  }
  // Files of vertex mode before version 3.2 have them too, and nobody needs them there.
  if (mode == BakeMode::bones) read.views.skin_vertices = fields.u32(fields.object(root, "skinVertices"), "bufferView");
  read.has_upload = true;
}

void read_atlas(JsonFields& fields, const Json& atlas, ReadExtension& read, CharacterDraft& model) {
  read.views.atlas = read_atlas_size(fields, atlas, model);
  model.atlas.layout.texel_words = read_texel_words(fields, atlas, model);
  model.atlas.layout.frame_rows = fields.boolean_or(atlas, "frameRows", false);  // from version 3.2 on
}

void read_words(JsonFields& fields, const Json& json, ReadExtension& read, CharacterDraft& model) {
  read.views.channels = fields.u32(json, "bufferView");
  model.channel_slots = read_slots(fields, json);
}

// Version 2 and, with what they added, versions 3 and 4.
ReadExtension read_since_version_2(JsonFields& fields, std::uint32_t version, CharacterDraft& model) {
  ReadExtension read;
  const Json& root = fields.root();
  model.mode = read_mode(fields);
  model.tangents_animated = fields.boolean(root, "tangentsAnimated");
  // From version 4 on there may be none.
  if (version < 4 || JsonFields::has(root, "atlas")) read_atlas(fields, fields.object(root, "atlas"), read, model);
  if (JsonFields::has(root, "channels")) read_words(fields, fields.object(root, "channels"), read, model);
  if (JsonFields::has(root, "table")) read.views.table = fields.u32(fields.object(root, "table"), "bufferView");
  if (JsonFields::has(root, "bakedFromSource")) {
    read.views.baked_from_source = fields.u32(fields.object(root, "bakedFromSource"), "bufferView");
  }
  model.half_float_bytes = fields.u64(root, version == 2 ? "documentsBytes" : "halfFloatBytes");
  if (version >= 4) model.key_bytes = fields.u64(root, "keyBytes");
  model.skeleton = read_list(fields, root, "skeleton", read_link);
  const bool linked = !model.skeleton.empty();
  model.bones = read_list(fields, root, "bones", [linked](JsonFields& f, const Json& json) {
    BakedBone bone{f.text(json, "name"), 0, {}};
    if (linked) bone.link = f.u32(json, "link");
    if (linked) bone.link_from_mesh = read_sample(f, f.object(json, "linkFromMesh"));
    return bone;
  });
  model.levels = read_list(fields, root, "levels", read_level);
  model.fewer_bones = read_fewer_bones(fields, root);
  model.repairs = read_repairs(fields, fields.object(root, "repairs"));
  if (version >= 3) read_upload(fields, model.mode, read);
  if (version >= 3) read_parts(fields, read, model);
  return read;
}

}  // namespace

std::vector<SlotKind> read_slots(JsonFields& fields, const Json& json) {
  std::vector<SlotKind> slots;
  for (const Json& slot : fields.array(json, "slots")) {
    const auto kind = std::ranges::find(format::kSlotKinds, slot.is_text() ? slot.text() : std::string());
    if (kind == format::kSlotKinds.end()) {
      fields.refuse("'slots' holds something that is no kind of slot");
      return slots;
    }
    slots.push_back(static_cast<SlotKind>(kind - format::kSlotKinds.begin()));
  }
  return slots;
}

Result<ReadExtension> read_extension(const Json& extension, CharacterDraft& model) {
  JsonFields fields(extension, std::string(format::kExtension));
  const std::uint32_t version = read_version(fields);
  const Json& root = fields.root();
  if (fields.text(root, "hash").size() != format::kHashDigits) fields.refuse("'hash' is not 16 digits");
  model.name = fields.text(root, "name");
  model.bounds = fields.bounds(root, "bounds");
  model.error = read_error(fields, fields.object(root, "error"));
  model.clips = read_list(fields, root, "clips",
                          [version](JsonFields& f, const Json& json) { return read_clip(f, json, version); });
  model.sockets = read_list(fields, root, "sockets", read_socket);
  model.sources = read_list(fields, root, "sources", read_source);
  model.notes = read_texts(fields, "notes");
  if (JsonFields::has(root, "warnings")) model.warnings = read_texts(fields, "warnings");
  ReadExtension read = version == 1 ? read_version_1(fields, model) : read_since_version_2(fields, version, model);
  THRONG_CHECK(fields.result());
  return read;
}

}  // namespace throng::detail::character
