// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "decode_column.h"
#include "throng/math/directions.h"

namespace throng {
namespace {

ColumnMove to_move(const BoneSample& sample, const glm::dvec3& pivot) {
  const glm::dmat3 rotation = glm::mat3_cast(sample.rotation);
  ColumnMove move;
  move.linear = rotation * sample.scale;
  move.offset = sample.position - move.linear * pivot;
  move.normal = sample.scale < 0.0 ? -rotation : rotation;
  return move;
}

ColumnMove to_move(const AffineSample& sample, const glm::dvec3& pivot) {
  return {sample.linear, sample.position - sample.linear * pivot, normal_matrix(sample.linear)};
}

// Both move points as `outer · (inner · v)`; their pivots are the origin.
BoneSample composed(const BoneSample& outer, const BoneSample& inner) {
  return {outer.rotation * inner.rotation, outer.position + outer.scale * (outer.rotation * inner.position),
          outer.scale * inner.scale};
}

// The two frames that a cursor is between.
class FramePair {
 public:
  using Words = std::span<const std::uint32_t>;

  FramePair(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend)
      : clip_(clip), table_(table_of(model, clip)), columns_(model.bones.size()), blend_(blend) {
    const FrameLayout frames = frame_layout(model, clip);
    from_ = model.atlas.frame(frames, clip.layer, cursor.frame);
    to_ = model.atlas.frame(frames, clip.layer, cursor.next);
    if (info_of(clip.encoding).kind == ItemKind::slot) rotations_ = rotation_slots(model);
  }

  // For encodings that say what a column does.
  ColumnMove column(std::size_t column) const {
    const std::size_t count = words_per_item(clip_.encoding, false);
    const std::size_t first = header_words(clip_.encoding) + column * count;
    const glm::dvec3 pivot(table_[column]);
    if (is_affine_encoding(clip_.encoding)) {
      const AffineSample from = decode_affine(clip_.encoding, from_.subspan(first, count), clip_.range);
      const AffineSample to = decode_affine(clip_.encoding, to_.subspan(first, count), clip_.range);
      return to_move(interpolate(from, to, blend_), pivot);
    }
    const ClipRange range = range_of(column);
    BoneSample from = decode_bone(clip_.encoding, from_.subspan(first, count), range);
    BoneSample to = decode_bone(clip_.encoding, to_.subspan(first, count), range);
    from.position += origin(from_);
    to.position += origin(to_);
    return to_move(interpolate(from, to, blend_), pivot);
  }

  // local8: parent_from_link.
  BoneSample link(const PoseLink& link) const { return interpolate(link_in(link, from_), link_in(link, to_), blend_); }

 private:
  // What positions count from.
  glm::dvec3 origin(Words frame) const {
    if (header_words(clip_.encoding) == 0) return glm::dvec3(0.0);
    return {std::bit_cast<float>(frame[0]), std::bit_cast<float>(frame[1]), std::bit_cast<float>(frame[2])};
  }

  // Where positions of a column are measured: in the clip's box, or in the column's own.
  ClipRange range_of(std::size_t column) const {
    if (!info_of(clip_.encoding).column_boxes) return clip_.range;
    const auto box = table_.subspan(columns_ + 2 * column, 2);
    return {glm::dvec3(box[0]), glm::dvec3(box[1]), clip_.range.scale_max};
  }

  BoneSample link_in(const PoseLink& link, Words frame) const {
    BoneSample sample = link.rest;
    if (link.rotation_slot) sample.rotation = decode_rotation_slot(slot(frame, *link.rotation_slot));
    if (link.translation_slot) {
      const auto box = table_.subspan(std::size_t{*link.translation_slot} * 2, 2);
      const glm::dvec4 moved = decode_translation_slot(slot(frame, rotations_ + *link.translation_slot),
                                                       {glm::dvec4(box[0]), glm::dvec4(box[1])});
      sample.position = glm::dvec3(moved);
      sample.scale = moved.w;
    }
    return sample;
  }

  static std::span<const std::uint32_t, 2> slot(Words frame, std::size_t number) {
    return frame.subspan(number * 2).first<2>();
  }

  const BakedClip& clip_;
  std::span<const glm::vec4> table_;
  std::size_t columns_;
  std::size_t rotations_ = 0;
  double blend_;
  Words from_;
  Words to_;
};

// The moment of a clip in localv that a cursor is at.
class ChannelMoment {
 public:
  ChannelMoment(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor, double blend)
      : reader_(model.channel_words, clip.channels), frames_(reader_.frames_at(cursor.frame, cursor.next, blend)) {}

  // parent_from_link.
  BoneSample link(const PoseLink& link) const {
    BoneSample sample = link.rest;
    if (link.rotation_slot) sample.rotation = reader_.rotation(*link.rotation_slot, frames_).value_or(sample.rotation);
    if (link.translation_slot)
      sample.position = reader_.vector(*link.translation_slot, frames_).value_or(sample.position);
    if (link.scale_slot) sample.scale = reader_.vector(*link.scale_slot, frames_).value_or(glm::dvec3(sample.scale)).x;
    return sample;
  }

 private:
  ChannelReader reader_;
  ChannelFrames frames_;
};

template <class Frames>
std::vector<BoneSample> model_from_links(const CharacterDraft& model, const Frames& frames) {
  std::vector<BoneSample> out;
  out.reserve(model.skeleton.size());
  for (const PoseLink& link : model.skeleton) {
    const BoneSample parent_from_link = frames.link(link);
    out.push_back(link.parent ? composed(out[*link.parent], parent_from_link) : parent_from_link);
  }
  return out;
}

template <class Frames>
BoneSample model_from_link(const CharacterDraft& model, const Frames& frames, std::uint32_t link) {
  BoneSample sample = frames.link(model.skeleton[link]);
  for (auto parent = model.skeleton[link].parent; parent; parent = model.skeleton[*parent].parent) {
    sample = composed(frames.link(model.skeleton[*parent]), sample);
  }
  return sample;
}

ColumnMove column_of(const BakedBone& bone, const BoneSample& model_from_link) {
  return to_move(composed(model_from_link, bone.link_from_mesh), glm::dvec3(0.0));
}

}  // namespace

std::vector<BoneSample> decode_links(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                     double blend) {
  const ItemKind kind = info_of(clip.encoding).kind;
  if (kind == ItemKind::channel) return model_from_links(model, ChannelMoment(model, clip, cursor, blend));
  if (kind == ItemKind::slot) return model_from_links(model, FramePair(model, clip, cursor, blend));
  return {};
}

std::vector<ColumnMove> decode_columns(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                       double blend) {
  std::vector<ColumnMove> moves;
  moves.reserve(model.bones.size());
  const ItemKind kind = info_of(clip.encoding).kind;
  if (kind == ItemKind::channel || kind == ItemKind::slot) {
    const std::vector<BoneSample> links = decode_links(model, clip, cursor, blend);
    for (const BakedBone& bone : model.bones) moves.push_back(column_of(bone, links[bone.link]));
    return moves;
  }
  const FramePair frames(model, clip, cursor, blend);
  for (std::size_t column = 0; column < model.bones.size(); ++column) moves.push_back(frames.column(column));
  return moves;
}

ColumnMove detail::character::decode_column(const CharacterDraft& model, const BakedClip& clip, const Cursor& cursor,
                                            double blend, std::uint32_t column) {
  const BakedBone& bone = model.bones[column];
  const ItemKind kind = info_of(clip.encoding).kind;
  if (kind == ItemKind::channel)
    return column_of(bone, model_from_link(model, ChannelMoment(model, clip, cursor, blend), bone.link));
  const FramePair frames(model, clip, cursor, blend);
  if (kind != ItemKind::slot) return frames.column(column);
  return column_of(bone, model_from_link(model, frames, bone.link));
}

}  // namespace throng
