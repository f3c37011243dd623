// SPDX-License-Identifier: Apache-2.0
#pragma once
// Feet on uneven ground: an animation made on a flat floor is bent to stairs and slopes. The pelvis sinks or rises with
// the lowest foot, each leg reaches its ground by two-bone IK, each foot tilts to the slope. Ground at the animation's
// own height (model y = 0) changes nothing, bit for bit.
//
// Heights are in world space, +Y up; settings that are lengths are in world units too. The caller keeps a
// FootPlacementState per character; nothing is allocated.

#include <array>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "throng/animator/ik.h"

namespace throng {

// Where a ray met the ground.
struct GroundHit {
  float height = 0.0f;  // world y
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
};

// What a ray straight down from `from` (world space) meets within `depth`, or nothing.
using GroundQuery = std::function<std::optional<GroundHit>(const glm::vec3& from, float depth)>;

// The bones of a leg, from the hip down.
struct Leg {
  std::uint32_t hip = 0;   // the thigh
  std::uint32_t knee = 0;  // the shin
  std::uint32_t foot = 0;  // the bone that is placed: its rest height above y = 0 is the height of the ankle
  std::optional<std::uint32_t> toe = {};  // a second ray from here keeps toes out of the next step
  float weight = 1.0f;
};

inline constexpr std::size_t kMaxLegs = 8;  // legs that are placed in one call, at most

struct FootPlacement {
  std::span<const Leg> legs = {};  // up to kMaxLegs
  std::uint32_t pelvis = 0;        // above all legs
  float ray_above = 0.5f;          // world units above the animated foot a ray starts
  float ray_below = 1.0f;          // and below it ends
  float max_rise =
      0.4f;  // how far ground may lie above or below the animation's floor; beyond, it is taken as if it lay there
  float max_drop = 0.4f;
  float max_tilt = 0.7f;    // radians a foot tilts
  float smoothing = 0.15f;  // seconds in which most of a step of the ground is taken up (critically damped); 0: at once
  float softness = 0.03f;   // of TwoBoneIk, as far as the animation's own leg is not straighter
  // A foot that stands still in the world stays there until it is lifted or the animation has left it behind.
  bool lock = false;
  float lock_speed = 0.2f;    // world units a second, below which a foot that is down stands still
  float lock_radius = 0.25f;  // world units the animation may go away from a locked foot
  float weight = 1.0f;
};

// A value on its way, with its speed.
struct SmoothedValue {
  float value = 0.0f;
  float speed = 0.0f;

  // Critically damped: exact for any dt, and for any way dt is cut into parts.
  void approach(float target, float smoothing, float dt);
};

// Zero for a new character: the first call takes the ground as it is, without smoothing.
struct FootPlacementState {
  // What is remembered of one leg from call to call.
  struct LegState {
    SmoothedValue offset;            // of the ground from the animation's floor, world units
    SmoothedValue tilt_x, tilt_z;    // the ground's normal
    SmoothedValue drift_x, drift_z;  // of a locked foot from its animated place
    glm::vec3 animated{0.0f};        // where the animation had it at the last call, world space
    glm::vec3 anchor{0.0f};          // where it is locked
    bool locked = false;
  };
  std::array<LegState, kMaxLegs> legs{};
  SmoothedValue pelvis;
  bool started = false;
};

// What became of one foot.
struct FootReport {
  bool ground = false;  // the ray met something
  bool locked = false;
  float offset = 0.0f;  // world units the foot was moved up
  float missed = 0.0f;  // model units its ankle is off where it should be
};

// What became of the pelvis and of every foot.
struct FootPlacementReport {
  IkFault fault = IkFault::none;
  float pelvis = 0.0f;  // world units the pelvis was moved up
  std::array<FootReport, kMaxLegs> feet{};
};

// `dt` in seconds since the last call; negative or not a number counts as 0. `world_from_model` must be upright (+Y to
// +Y) and uniformly scaled.
FootPlacementReport place_feet(const PoseEdit& pose, const FootPlacement& settings, const glm::mat4& world_from_model,
                               const GroundQuery& ground, float dt, FootPlacementState& state);

}  // namespace throng
