#include "throng/asset/baked_model.h"

#include <bit>

namespace throng {
namespace {

// The words of the two frames that a cursor is between, without their headers.
struct FramePair {
  std::span<const std::uint32_t> from;
  std::span<const std::uint32_t> to;
  glm::dvec3 from_origin{0.0};  // q8: what its positions count from
  glm::dvec3 to_origin{0.0};
};

glm::dvec3 origin_of(std::span<const std::uint32_t> words) {
  return {std::bit_cast<float>(words[0]), std::bit_cast<float>(words[1]), std::bit_cast<float>(words[2])};
}

FramePair frames_at(const BakedModel& model, const BakedClip& clip, const Cursor& cursor) {
  const FrameLayout frames = frame_layout(model, clip);
  const auto from = model.atlas.frame(frames, clip.layer, cursor.frame);
  const auto to = model.atlas.frame(frames, clip.layer, cursor.next);
  const std::uint32_t header = header_words(clip.encoding);
  FramePair pair{from.subspan(header), to.subspan(header)};
  if (clip.encoding == Encoding::q8) {
    pair.from_origin = origin_of(from);
    pair.to_origin = origin_of(to);
  }
  return pair;
}

// Up to a positive factor: the inverse transpose, which a singular matrix has not.
glm::dmat3 normal_matrix(const glm::dmat3& m) {
  const glm::dmat3 cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
  return cofactors * (glm::determinant(m) < 0.0 ? -1.0 : 1.0);
}

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

// Where positions of one column are measured: the clip's box, or the column's own.
ClipRange range_of(const BakedClip& clip, std::span<const glm::vec4> table, std::size_t columns, std::size_t column) {
  if (clip.encoding != Encoding::q8) return clip.range;
  return {glm::dvec3(table[columns + 2 * column]), glm::dvec3(table[columns + 2 * column + 1]), clip.range.scale_max};
}

ColumnMove decode_rigid(const BakedClip& clip, const FramePair& frames, std::size_t first_word, const ClipRange& range,
                        const glm::dvec3& pivot, double blend) {
  const std::size_t count = words_per_item(clip.encoding, false);
  BoneSample from = decode_bone(clip.encoding, frames.from.subspan(first_word, count), range);
  BoneSample to = decode_bone(clip.encoding, frames.to.subspan(first_word, count), range);
  from.position += frames.from_origin;
  to.position += frames.to_origin;
  return to_move(interpolate(from, to, blend), pivot);
}

ColumnMove decode_rows(const BakedClip& clip, const FramePair& frames, std::size_t first_word, const glm::dvec3& pivot,
                       double blend) {
  const std::size_t count = words_per_item(clip.encoding, false);
  const AffineSample from = decode_affine(clip.encoding, frames.from.subspan(first_word, count), clip.range);
  const AffineSample to = decode_affine(clip.encoding, frames.to.subspan(first_word, count), clip.range);
  return to_move(interpolate(from, to, blend), pivot);
}

std::vector<ColumnMove> decode_stored(const BakedModel& model, const BakedClip& clip, const FramePair& frames,
                                      double blend) {
  const auto table = table_of(model, clip);
  const std::size_t columns = model.bones.size();
  const bool affine = clip.encoding == Encoding::rows || clip.encoding == Encoding::half_rows;
  std::vector<ColumnMove> moves;
  moves.reserve(columns);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t first_word = column * words_per_item(clip.encoding, false);
    const glm::dvec3 pivot(table[column]);
    moves.push_back(affine
                        ? decode_rows(clip, frames, first_word, pivot, blend)
                        : decode_rigid(clip, frames, first_word, range_of(clip, table, columns, column), pivot, blend));
  }
  return moves;
}

// Both move points as `outer · (inner · v)`; their pivots are the origin.
BoneSample composed(const BoneSample& outer, const BoneSample& inner) {
  return {outer.rotation * inner.rotation, outer.position + outer.scale * (outer.rotation * inner.position),
          outer.scale * inner.scale};
}

// What the slots of one frame say of a link, the rest as at rest.
BoneSample decode_link(const PoseLink& link, std::span<const std::uint32_t> words, std::span<const glm::vec4> table,
                       std::size_t rotations) {
  BoneSample sample = link.rest;
  if (link.rotation_slot) {
    sample.rotation = decode_rotation_slot(words.subspan(std::size_t{*link.rotation_slot} * 2).first<2>());
  }
  if (link.translation_slot) {
    const std::size_t slot = *link.translation_slot;
    const SlotRange range{glm::dvec4(table[2 * slot]), glm::dvec4(table[2 * slot + 1])};
    const glm::dvec4 moved = decode_translation_slot(words.subspan((rotations + slot) * 2).first<2>(), range);
    sample.position = glm::dvec3(moved);
    sample.scale = moved.w;
  }
  return sample;
}

std::vector<ColumnMove> decode_local(const BakedModel& model, const BakedClip& clip, const FramePair& frames,
                                     double blend) {
  const auto table = table_of(model, clip);
  const std::size_t rotations = rotation_slots(model);
  std::vector<BoneSample> model_from_links;
  model_from_links.reserve(model.skeleton.size());
  for (const PoseLink& link : model.skeleton) {
    const BoneSample parent_from_link = interpolate(decode_link(link, frames.from, table, rotations),
                                                    decode_link(link, frames.to, table, rotations), blend);
    model_from_links.push_back(link.parent ? composed(model_from_links[*link.parent], parent_from_link)
                                           : parent_from_link);
  }
  std::vector<ColumnMove> moves;
  moves.reserve(model.bones.size());
  for (const BakedBone& bone : model.bones) {
    moves.push_back(to_move(composed(model_from_links[bone.link], bone.link_from_mesh), glm::dvec3(0.0)));
  }
  return moves;
}

}  // namespace

std::vector<ColumnMove> decode_columns(const BakedModel& model, const BakedClip& clip, const Cursor& cursor,
                                       double blend) {
  const FramePair frames = frames_at(model, clip, cursor);
  return clip.encoding == Encoding::local8 ? decode_local(model, clip, frames, blend)
                                           : decode_stored(model, clip, frames, blend);
}

}  // namespace throng
