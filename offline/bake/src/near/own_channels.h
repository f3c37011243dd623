// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words of localv that near characters have for themselves: what bones do that far ones do not have, since nothing that
// is drawn follows them, or something that moves like another. They are coded one by one, relative to their parents as
// the source has them; what moves nothing drawn is held to the bound where it is and a little way around it.

#include <span>

#include "motion/clip_plan.h"
#include "throng/motion/compile_motion.h"

namespace throng::detail::bake {

// A bone that such words say.
struct OwnBone {
  std::uint32_t bone = 0;
  std::optional<std::size_t> above = {};  // which of these is its parent
  double radius = 0.0;                    // how far around it is held to the bound, in the model's units
  double reach = 0.0;                     // the same, or to the farthest of those below it
  bool drawn = false;                     // vertices follow it
  BoneChannels channels = {};
};

struct OwnBones {
  std::vector<OwnBone> all;
  std::vector<SlotKind> slots;
};

// The words of one clip, by themselves.
struct OwnClip {
  std::vector<std::uint32_t> words;
  MotionFrames frames;
};

// Which bones move in one of the clips in localv, and are neither a link of the character nor still.
OwnBones own_bones(const Model& model, std::span<const ClipPlan> plans, std::span<const MotionSource> clips,
                   const CharacterDraft& draft, std::span<const std::optional<Transform>> still);

// What the bones do in a clip, off by `allowed` at most, in the model's units, and in as few words as that takes; bones
// that vertices follow by a part of it, since their parents are off, too. `intervals`: what the clip has far, of which
// the frames are a multiple. Nothing where it cannot be held that close.
std::optional<OwnClip> own_clip(const Model& model, const ClipPlan& plan, const OwnBones& bones,
                                std::uint32_t intervals, double allowed);

// parent_from_bone at a moment of a clip, as readers make it of the words.
Transform own_transform(const OwnBone& bone, const ChannelReader& reader, const ChannelFrames& at);

}  // namespace throng::detail::bake
