// SPDX-License-Identifier: Apache-2.0
#include "random_frames.h"

#include <bit>
#include <cmath>

#include "channel_motion.h"
#include "frame_writer.h"
#include "throng/character/codecs/vertex_codecs.h"

namespace throng::test {
namespace {

glm::dvec3 somewhere_in(const ClipRange& range, Dice& dice) {
  return range.pivot_min + dice.fractions() * range.pivot_size;
}

// A bone on its way through a clip's frames: it turns a little from one to the next.
class Walk {
 public:
  explicit Walk(Dice& dice) : dice_(dice), turn_(dice.turn()), shape_(1.0) {
    for (int c = 0; c < 3; ++c) shape_[c] += 0.4 * dice.point(1.0);  // sheared and stretched, far from flat
    if (dice.below(3) == 0) shape_[0] = -shape_[0];                  // mirrored
  }

  BoneSample bone(const ClipRange& range) {
    step();
    return {dice_.below(2) == 0 ? turn_ : -turn_, somewhere_in(range, dice_), dice_.between(0.2, range.scale_max)};
  }

  bool mirrors() const { return glm::determinant(shape_) < 0.0; }

  AffineSample affine(const ClipRange& range) {
    const glm::dmat3 stretched = glm::mat3_cast(turn_) * shape_;
    turn_ = glm::normalize(turn_ + 0.1 * dice_.turn());
    return {stretched, somewhere_in(range, dice_)};
  }

 private:
  void step() { turn_ = glm::normalize(turn_ + 0.3 * dice_.turn()); }

  Dice& dice_;
  glm::dquat turn_;
  glm::dmat3 shape_;
};

// Of those that are not matrices, half-quaternion alone can say a scale below 0, which mirrors.
BoneSample walked(Walk& walk, Encoding encoding, const ClipRange& range) {
  BoneSample bone = walk.bone(range);
  if (encoding == Encoding::half_quaternion && walk.mirrors()) bone.scale = -bone.scale;
  return bone;
}

void fill_bones(const CharacterDraft& model, const BakedClip& clip, std::span<const glm::vec4> table,
                const FrameWriter& writer, Dice& dice) {
  const auto columns = static_cast<std::uint32_t>(model.bones.size());
  const bool affine = clip.encoding == Encoding::rows || clip.encoding == Encoding::half_rows;
  for (std::uint32_t column = 0; column < columns; ++column) {
    Walk walk(dice);
    ClipRange range = clip.range;
    if (clip.encoding == Encoding::q8) {
      const std::size_t row = std::size_t{clip.first_table_row} + columns + 2 * column;
      range = {glm::dvec3(table[row]), glm::dvec3(table[row + 1]), clip.range.scale_max};
    }
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      if (affine)
        encode_affine(clip.encoding, walk.affine(range), range, writer.item(frame, column));
      else
        encode_bone(clip.encoding, walked(walk, clip.encoding, range), range, writer.item(frame, column));
    }
  }
  if (clip.encoding != Encoding::q8) return;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame)
    for (std::size_t axis = 0; axis < 3; ++axis)
      writer.whole(frame)[axis] = std::bit_cast<std::uint32_t>(static_cast<float>(dice.between(-2.0, 2.0)));
}

void fill_slots(const CharacterDraft& model, const BakedClip& clip, std::span<const glm::vec4> table,
                const FrameWriter& writer, Dice& dice) {
  const std::uint32_t rotations = rotation_slots(model);
  for (std::uint32_t slot = 0; slot < item_count(model, Encoding::local8); ++slot) {
    Walk walk(dice);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const auto words = writer.item(frame, slot).first<2>();
      if (slot < rotations) {
        encode_rotation_slot(walk.bone(clip.range).rotation, words);
        continue;
      }
      const std::size_t row = std::size_t{clip.first_table_row} + 2 * (slot - rotations);
      const SlotRange range{glm::dvec4(table[row]), glm::dvec4(table[row + 1])};
      encode_translation_slot(glm::dvec3(range.min) + dice.fractions() * glm::dvec3(range.size),
                              range.min.w + dice.between(0, 1) * range.size.w, range, words);
    }
  }
}

void fill_vertices(const CharacterDraft& model, const BakedClip& clip, const FrameWriter& writer, Dice& dice) {
  for (std::uint32_t i = 0; i < item_count(model, clip.encoding); ++i) {
    Walk walk(dice);
    for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
      const BoneSample bone = walk.bone(clip.range);
      VertexSample sample{bone.position, bone.rotation * glm::dvec3(0, 0, 1), {}};
      sample.tangent = glm::dvec4(bone.rotation * glm::dvec3(1, 0, 0), dice.below(2) == 0 ? 1.0 : -1.0);
      encode_vertex(clip.encoding, sample, clip.range, model.tangents_animated, writer.item(frame, i));
    }
  }
}

BoneSample random_place(Dice& dice) { return {dice.turn(), dice.point(0.4), dice.between(0.8, 1.2)}; }

}  // namespace

void add_skeleton(CharacterDraft& model, std::uint32_t links, Dice& dice) {
  std::uint32_t rotations = 0;
  std::uint32_t translations = 0;
  for (std::uint32_t i = 0; i < links; ++i) {
    PoseLink link;
    if (i > 0 && dice.below(8) != 0) link.parent = i - 1 - dice.below(std::min(i, 3u));
    link.rest = random_place(dice);
    link.rest.scale = 1.0;
    if (dice.below(4) != 0) link.rotation_slot = rotations++;
    if (dice.below(3) == 0 || i == 0) link.translation_slot = translations++;
    model.skeleton.push_back(link);
  }
  for (BakedBone& bone : model.bones) {
    bone.link = dice.below(links);
    bone.link_from_mesh = random_place(dice);
  }
}

namespace {

// In steps of a random size, as fine as a bake makes them and as coarse.
double random_step(Dice& dice) { return std::pow(10.0, dice.between(-5.0, -2.0)); }

SlotMotion random_rotation(std::size_t frames, Dice& dice) {
  // Some around the mean, some all the way round.
  const bool round = dice.below(4) == 0;
  glm::dquat turn = dice.turn();
  std::vector<glm::dquat> values;
  for (std::size_t i = 0; i < frames; ++i) {
    const glm::dquat next = glm::normalize(turn + 0.3 * dice.turn());
    values.push_back(next);
    if (round) turn = turn * glm::angleAxis(dice.between(0.3, 0.9), glm::normalize(dice.direction()));
  }
  return rotation_motion(values, random_step(dice));
}

SlotMotion random_vectors(SlotKind kind, std::size_t frames, Dice& dice) {
  std::vector<glm::dvec3> values;
  for (std::size_t i = 0; i < frames; ++i)
    values.push_back(kind == SlotKind::scale ? glm::dvec3(dice.between(0.8, 1.2)) : dice.point(0.5));
  return vector_motion(kind, values, random_step(dice));
}

std::vector<std::uint32_t> random_stored(const BakedClip& clip, Dice& dice) {
  std::vector<std::uint32_t> stored{0};
  for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame) {
    const bool last = !clip.loops && frame + 1 == clip.frame_count;
    if (last || dice.below(2) == 0) stored.push_back(frame);
  }
  return stored;
}

}  // namespace

void add_channel_slots(CharacterDraft& model, Dice& dice) {
  const auto number = [&](std::optional<std::uint32_t> PoseLink::*slot, SlotKind kind) {
    for (PoseLink& link : model.skeleton) {
      if (!(link.*slot)) continue;
      link.*slot = static_cast<std::uint32_t>(model.channel_slots.size());
      model.channel_slots.push_back(kind);
    }
  };
  for (PoseLink& link : model.skeleton)
    if (dice.below(3) == 0) link.scale_slot = 0;
  number(&PoseLink::rotation_slot, SlotKind::rotation);
  number(&PoseLink::translation_slot, SlotKind::translation);
  number(&PoseLink::scale_slot, SlotKind::scale);
}

void fill_channels(CharacterDraft& model, Dice& dice, std::vector<std::uint32_t>& words) {
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    BakedClip& clip = model.clips[i];
    if (clip.encoding != Encoding::localv) continue;
    const auto stored = i % 2 == 0 ? every_frame(clip.frame_count) : random_stored(clip, dice);
    std::vector<SlotMotion> slots(model.channel_slots.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if (dice.below(6) == 0) continue;  // as at rest
      const SlotKind kind = model.channel_slots[slot];
      slots[slot] =
          kind == SlotKind::rotation ? random_rotation(stored.size(), dice) : random_vectors(kind, stored.size(), dice);
    }
    add_channels(slots, stored, clip, words);
  }
}

void add_table_rows(const CharacterDraft& model, BakedClip& clip, Dice& dice, std::vector<glm::vec4>& table) {
  clip.first_table_row = static_cast<std::uint32_t>(table.size());
  if (is_vertex_encoding(clip.encoding) || clip.encoding == Encoding::localv) return;
  const auto columns = static_cast<std::uint32_t>(model.bones.size());
  if (clip.encoding == Encoding::local8) {
    for (std::uint32_t slot = 0; slot < translation_slots(model); ++slot) {
      table.emplace_back(glm::vec3(dice.point(0.3)), 0.9f);
      table.emplace_back(glm::vec3(0.5 * dice.fractions()), 0.2f);
    }
    return;
  }
  for (std::uint32_t column = 0; column < columns; ++column)
    table.emplace_back(is_half(clip.encoding) ? glm::vec3(0.0f) : glm::vec3(dice.point(1.0)), 0.0f);
  if (clip.encoding != Encoding::q8) return;
  for (std::uint32_t column = 0; column < columns; ++column) {
    table.emplace_back(glm::vec3(dice.point(1.0)), 0.0f);
    table.emplace_back(glm::vec3(dice.fractions()), 0.0f);
  }
}

void fill_frames(const CharacterDraft& model, std::span<const glm::vec4> table, Dice& dice,
                 std::vector<std::uint32_t>& words) {
  const Layout& layout = model.atlas.layout;
  words.assign(std::size_t{layout.width} * model.atlas.height * model.atlas.layer_count * layout.texel_words, 0);
  for (const BakedClip& clip : model.clips) {
    if (clip.encoding == Encoding::localv) continue;
    const FrameWriter writer(model, clip, words);
    if (is_vertex_encoding(clip.encoding))
      fill_vertices(model, clip, writer, dice);
    else if (clip.encoding == Encoding::local8)
      fill_slots(model, clip, table, writer, dice);
    else
      fill_bones(model, clip, table, writer, dice);
  }
}

}  // namespace throng::test
