// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip's root motion near: how its root bone has moved over the ground and turned about +Y since the clip's first
// pose, at even steps. That is ClipFacts::root_path, found again in the poses that a rig plays.

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

// The root bone and what it hangs on, root first; empty where no bone's motion is the root motion.
using RootChain = std::vector<std::uint32_t>;
RootChain make_root_chain(const Rig& rig);

RootTrack make_root_track(const Rig& rig, const RootChain& chain, ClipId clip);
// Puts the root bone of a pose of that clip at that time back to where the clip began. Where its parent has no size in
// that pose, it stays: nothing below is seen.
void take_out_root_motion(const RootChain& chain, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals);

}  // namespace throng::detail::animator
