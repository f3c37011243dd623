// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a player must know of a clip besides its poses: how long it is, whether it loops, where its root goes, what
// happens when. Decided once, offline (throng/clip_facts/decide.h). The bake writes the answer into what far characters
// play (BakedClip) and what near ones play (MotionClip), which have the same name, length, loop and events.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/math/ground.h"

namespace throng {

// Something that happens at a moment of a clip, such as a footstep.
struct ClipEvent {
  double time = 0.0;  // seconds from the clip's first pose, within the clip's length
  std::string name;

  friend bool operator==(const ClipEvent&, const ClipEvent&) = default;
};

struct ClipFacts {
  std::string name;
  double source_start = 0.0;  // the source's time of the first pose, seconds
  double length = 0.0;        // seconds: of one cycle when it loops, from the first to the last pose when not
  bool loops = false;
  // An open loop ends one step before its first pose: these last seconds of `length`, which the source has no poses
  // for, lead from the last pose to the first one again. 0: the last pose is the first, or it does not loop.
  double seam = 0.0;

  // The bone, by its number in the skeleton, whose motion over the ground is the character's; nothing when no bone's
  // is.
  std::optional<std::uint32_t> root_bone = {};
  // Where the root has gone since the first pose, at even steps from 0 to `length`, both ends among them. The yaw is
  // continuous and may be more than a circle. Empty when it stays where it is.
  std::vector<GroundMotion> root_path = {};

  std::vector<ClipEvent> events = {};  // by time

  bool open() const { return seam > 0.0; }  // whether it is a loop whose last pose is not its first one again
  // The root at a time, clamped to [0, length].
  GroundMotion root_at(double seconds) const {
    return length > 0.0 ? place_along(root_path, seconds / length) : GroundMotion{};
  }
};

}  // namespace throng
