// SPDX-License-Identifier: Apache-2.0
#include "throng/character/character.h"

#include "check/draft.h"
#include "throng/base/names.h"
#include "throng/base/try.h"
#include "throng/shaders/shared/frame_shapes.h"
#include "upload/prepare.h"
#include "upload/scales.h"
#include "upload/speck.h"

namespace throng {
namespace {

std::uint32_t count_slots(const CharacterDraft& model, std::optional<std::uint32_t> PoseLink::*slot) {
  std::uint32_t count = 0;
  for (const PoseLink& link : model.skeleton) count += (link.*slot).has_value() ? 1u : 0u;
  return count;
}

template <class Id, class Thing, class NameOf>
Result<Id> find(std::string_view kind, const std::vector<Thing>& things, std::string_view wanted,
                const NameOf& name_of) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(name_of(thing));
  return find_name(kind, wanted, names).map([](std::size_t i) { return Id(static_cast<std::uint32_t>(i)); });
}

// What near characters would be made from. A far-only character does not know which of the two reasons is its own.
tl::unexpected<Error> lacks(const std::string& name, std::string_view what) {
  return fail(
      "'{}' has no {} for near characters: it was baked without `near`, or its file is older than version 3; bake the "
      "model again with `near`",
      name, what);
}

}  // namespace

Result<Motion> Character::motion() const {
  if (draft_->motion) return *draft_->motion;
  return lacks(name(), "motion");
}

Result<NearMesh> Character::near_mesh() const {
  if (draft_->near_mesh) return *draft_->near_mesh;
  return lacks(name(), "meshes");
}

Result<ClipId> Character::find_clip(std::string_view wanted) const {
  return find<ClipId>("clip", clips(), wanted, [](const BakedClip& clip) { return clip.name; });
}

Result<SocketId> Character::find_socket(std::string_view wanted) const {
  return find<SocketId>("socket", sockets(), wanted, [](const BakedSocket& socket) { return socket.name; });
}

Result<PartId> Character::find_part(std::string_view wanted) const {
  return find<PartId>("part", parts(), wanted, [](const BakedPart& part) { return part.name; });
}

Result<BoneId> Character::find_bone(std::string_view wanted) const {
  return find<BoneId>("bone", bones(), wanted, [](const BakedBone& bone) { return bone.name; });
}

Result<Character> build_character(CharacterDraft draft) {
  THRONG_CHECK(detail::character::check_draft(draft));
  detail::character::finish_vertices(draft);
  struct Prepared {
    UploadData upload;
    std::vector<glm::uvec4> skin_vertices;
  };
  const auto prepared = std::make_shared<Prepared>();
  prepared->skin_vertices = detail::character::skin_vertices(draft.vertices.whole());
  detail::character::Speck speck = detail::character::speck_of_model(draft);
  prepared->upload = {detail::character::has_uniform_scale(draft), speck.whole, prepared->skin_vertices,
                      std::move(speck.parts)};
  return Character(std::move(draft), std::shared_ptr<const UploadData>(prepared, &prepared->upload));
}

Result<Character> build_character(CharacterDraft draft, const UploadData& stored) {
  THRONG_CHECK(detail::character::check_draft(draft));
  THRONG_CHECK(detail::character::check_speck({stored.speck, stored.speck_parts}, draft.parts.size()));
  auto upload = std::make_shared<UploadData>(stored);
  // Files before version 4 do not tell parts apart.
  if (!draft.parts.empty() && stored.speck_parts.empty())
    upload->speck_parts = detail::character::speck_of_model(draft).parts;
  if (draft.mode == BakeMode::bones) {
    THRONG_CHECK(detail::character::check_skin_vertices(draft.vertices.whole(), stored.skin_vertices));
  } else {
    detail::character::finish_vertices(draft);
    upload->skin_vertices = {};  // which files before version 3.2 have
  }
  return Character(std::move(draft), std::move(upload));
}

std::uint32_t rotation_slots(const CharacterDraft& model) { return count_slots(model, &PoseLink::rotation_slot); }

std::uint32_t translation_slots(const CharacterDraft& model) { return count_slots(model, &PoseLink::translation_slot); }

std::uint32_t item_count(const CharacterDraft& model, Encoding encoding) {
  if (info_of(encoding).kind == ItemKind::slot) return rotation_slots(model) + translation_slots(model);
  const std::size_t items =
      is_vertex_encoding(encoding) ? model.vertices.size() + 2 * model.sockets.size() : model.bones.size();
  return static_cast<std::uint32_t>(items);
}

FrameLayout frame_layout(const CharacterDraft& model, const BakedClip& clip) {
  return frame_layout(model.atlas.layout,
                      words_per_frame(clip.encoding, item_count(model, clip.encoding), model.tangents_animated));
}

std::uint32_t frame_shapes(const CharacterDraft& model) {
  std::uint32_t shapes = 0;
  for (const BakedClip& clip : model.clips) {
    if (is_channel_encoding(clip.encoding)) continue;
    const FrameLayout frames = frame_layout(model, clip);
    if (frames.frames_per_row > 1) shapes |= gpu::kFramesSideBySide;
    if (frames.rows_per_frame > 1) shapes |= gpu::kFramesFolded;
    if (std::uint64_t{clip.first_frame} + clip.frame_count > frames_per_layer(frames, model.atlas.height))
      shapes |= gpu::kFramesRunOn;
  }
  return shapes;
}

std::uint64_t frame_bytes(const CharacterDraft& model, const BakedClip& clip) {
  const ChannelClip& channels = clip.channels;
  const std::uint64_t words = is_channel_encoding(clip.encoding)
                                  ? channels.frames + std::uint64_t{channels.stored_frames} * channels.frame_words
                                  : std::uint64_t{clip.frame_count} * frame_layout(model, clip).texels_per_frame *
                                        model.atlas.layout.texel_words;
  return words * sizeof(std::uint32_t);
}

std::uint64_t frame_bytes(const CharacterDraft& model) {
  const std::size_t padding = model.channel_words.empty() ? 0 : kChannelPadding;
  return model.atlas.words.size_bytes() + model.channel_words.size_bytes() - padding * sizeof(std::uint32_t);
}

std::span<const glm::vec4> table_of(const CharacterDraft& model, const BakedClip& clip) {
  return model.table.subspan(
      clip.first_table_row,
      table_rows(clip.encoding, static_cast<std::uint32_t>(model.bones.size()), translation_slots(model)));
}

ClipRecord clip_record(const CharacterDraft& model, const BakedClip& clip) {
  const FrameLayout frames = frame_layout(model, clip);
  ClipRecord record{};
  record.pivot_min = glm::vec3(clip.range.pivot_min);
  record.scale_max = static_cast<float>(clip.range.scale_max);
  record.pivot_size = glm::vec3(clip.range.pivot_size);
  record.loops = clip.loops ? 1u : 0u;
  record.first_frame = clip.first_frame;
  record.frame_count = clip.frame_count;
  record.layer = clip.layer;
  record.encoding = static_cast<std::uint32_t>(clip.encoding);
  record.texels_per_frame = frames.texels_per_frame;
  record.frames_per_row = frames.frames_per_row;
  record.frames_per_layer = frames_per_layer(frames, model.atlas.height);
  record.table = clip.first_table_row;
  if (!is_channel_encoding(clip.encoding)) return record;
  record.table = clip.channels.first_word;
  record.texels_per_frame = clip.channels.frame_words;
  record.frames_per_row = clip.channels.map;
  record.frames_per_layer = clip.channels.stored_frames;
  record.layer = clip.channels.frames;
  return record;
}

}  // namespace throng
