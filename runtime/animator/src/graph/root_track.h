// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip's root motion: where its root bone is in the ground plane and which way it faces, in model space, at even
// steps.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "throng/animator/pose_jobs.h"
#include "throng/animator/rig.h"
#include "throng/math/ground.h"

namespace throng::detail::animator {

struct RootTrack {
  double length = 0.0;
  std::vector<GroundMotion> places;  // the yaw is continuous: it may go beyond half a circle

  bool empty() const { return places.empty(); }
  GroundMotion at(double seconds) const;
};

// The root motion from one moment of a clip to another; `loops` wraps lie between the two phases (negative: backwards).
GroundMotion motion_between(const RootTrack& track, double from_phase, double to_phase, double loops);

// How the root bone's parent lies in model space at rest.
struct RootFrame {
  std::uint32_t bone = 0;
  glm::mat4 model_from_parent{1.0f};
  glm::mat4 parent_from_model{1.0f};
  glm::quat model_from_parent_rotation{1.0f, 0.0f, 0.0f, 0.0f};
};
RootFrame make_root_frame(const Rig& rig);

RootTrack make_root_track(const Rig& rig, ClipId clip);
// Puts the root bone of a pose of that clip at that time back to where the clip began.
void take_out_root_motion(const RootFrame& frame, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals);

}  // namespace throng::detail::animator
