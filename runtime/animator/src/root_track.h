#pragma once
// A clip's way over the ground: where its root bone is in the ground plane and which way it faces, in model space, at
// even steps. Ways are rigid motions of the plane and compose like matrices.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "throng/animator/pose_jobs.h"
#include "throng/animator/rig.h"

namespace throng {

// First a turn about +Y, then a step (x, z): a point p goes to turn(p) + step.
struct GroundMotion {
  glm::dvec2 step{0.0};
  double turn = 0.0;  // radians
};
glm::dvec2 turned(const glm::dvec2& v, double angle);
GroundMotion then(const GroundMotion& first, const GroundMotion& second);  // second in the space first leads to
GroundMotion inverse(const GroundMotion& motion);
GroundMotion repeated(GroundMotion motion, double times);  // a whole number, not negative

struct RootTrack {
  double length = 0.0;
  std::vector<GroundMotion> places;  // the turn is continuous: it may go beyond a half

  bool empty() const { return places.empty(); }
  GroundMotion at(double seconds) const;
};

// What leads from one moment of a clip to another; `loops` whole loops lie between the two phases' wraps (negative:
// backwards).
GroundMotion way_between(const RootTrack& track, double from_phase, double to_phase, double loops);

// How the root bone's parent lies in model space at rest.
struct RootFrame {
  std::uint32_t bone = 0;
  glm::mat4 model_from_parent{1.0f};
  glm::mat4 parent_from_model{1.0f};
  glm::quat model_from_parent_turn{1.0f, 0.0f, 0.0f, 0.0f};
};
RootFrame make_root_frame(const Rig& rig);

RootTrack make_root_track(const Rig& rig, std::uint32_t clip);
// Puts the root bone of a pose of that clip at that time back to where the clip began.
void take_out_root_motion(const RootFrame& frame, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals);

}  // namespace throng
