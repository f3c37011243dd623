// SPDX-License-Identifier: Apache-2.0
#include "throng/character/motion_channels.h"

#include <algorithm>

namespace throng {
namespace {

Transform transform_of(const BoneSample& sample) {
  return {sample.position, sample.rotation, glm::dvec3(sample.scale)};
}

bool are_same(const Transform& a, const Transform& b) {
  return a.translation == b.translation && a.rotation == b.rotation && a.scale == b.scale;
}

bool are_same(const BoneChannels& a, const BoneChannels& b) {
  return a.covered == b.covered && a.rotation == b.rotation && a.translation == b.translation && a.scale == b.scale &&
         are_same(a.still, b.still);
}

bool are_same(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  return (a.data() == b.data() && a.size() == b.size()) || std::ranges::equal(a, b);
}

}  // namespace

Result<MotionChannels> motion_channels(const CharacterDraft& model, std::span<const MotionBone> bones) {
  MotionChannels channels;
  // A character that moves in no clip has clips in localv, but no slots.
  const auto is_localv = [](const BakedClip& clip) { return is_channel_encoding(clip.encoding); };
  if (std::ranges::none_of(model.clips, is_localv)) return channels;
  channels.slots = model.channel_slots;
  channels.words = model.channel_words;
  for (const MotionBone& bone : bones)
    channels.bones.push_back({bone.still.has_value(), {}, {}, {}, bone.still.value_or(bone.rest)});
  std::vector<bool> linked(bones.size());
  for (std::size_t i = 0; i < model.skeleton.size(); ++i) {
    const PoseLink& link = model.skeleton[i];
    if (!link.bone) continue;
    if (*link.bone >= bones.size() || linked[*link.bone])
      return fail("link {} of the skeleton is bone {} of {}, or one that another is", i, *link.bone, bones.size());
    linked[*link.bone] = true;
    channels.bones[*link.bone] = {true, link.rotation_slot, link.translation_slot, link.scale_slot,
                                  transform_of(link.rest)};
  }
  return channels;
}

std::optional<MotionFrames> motion_frames(const BakedClip& clip) {
  if (!is_channel_encoding(clip.encoding)) return std::nullopt;
  return MotionFrames{clip.channels, clip.frame_count};
}

bool are_same(const MotionChannels& a, const MotionChannels& b) {
  return a.slots == b.slots && are_same(a.words, b.words) &&
         std::ranges::equal(a.bones, b.bones, [](const auto& x, const auto& y) { return are_same(x, y); });
}

}  // namespace throng
