// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip's root motion near: how its root bone has moved over the ground and turned about +Y since the clip's first
// pose, at even steps. That is ClipFacts::root_path, as the character's file has it; of a file that does not say, it is
// found again in the poses that a rig plays.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "throng/animator/pose_jobs.h"
#include "throng/animator/rig.h"
#include "throng/math/ground.h"

namespace throng::detail::animator {

struct RootTrack {
  double length = 0.0;
  std::vector<GroundMotion> places;  // since the first pose; the yaw is continuous: it may go beyond half a circle

  bool empty() const { return places.empty(); }
  GroundMotion at(double seconds) const;
};

// The root motion from one moment of a clip to another; `loops` wraps lie between the two phases (negative: backwards).
GroundMotion motion_between(const RootTrack& track, double from_phase, double to_phase, double loops);

// Which bones go with the ground: all that the root motion is taken off of, so that near characters are where far ones
// are. Those are the root bone, what hangs beside it on the bones above it, and other bones without a parent, of which
// a bake takes it off, too (take_off in throng/clip_facts/root_motion.h). The bones above the root bone stay as they
// are: poses are blended bone by bone, and a rotation taken off above the root bone, whose own one is the opposite,
// would not blend to none. Nothing drawn hangs on them, unless the bake was told which bone is the root.
struct RootChain {
  // A bone, and on how many bones of `bones` it hangs; 0: it has no parent.
  struct Body {
    std::uint32_t bone = 0;
    std::size_t above = 0;
  };
  std::vector<std::uint32_t> bones;  // the root bone and what it hangs on, root first; empty: no bone's is root motion
  std::vector<Body> bodies;          // in the order of `above`
};
RootChain make_root_chain(const Rig& rig);

RootTrack make_root_track(const Rig& rig, const RootChain& chain, ClipId clip);
// Puts a pose of that clip at that time back to where the clip began. What hangs on a bone that has no size in that
// pose stays: nothing of it is seen.
void take_out_root_motion(const RootChain& chain, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals);

}  // namespace throng::detail::animator
