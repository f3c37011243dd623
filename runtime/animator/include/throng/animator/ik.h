// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inverse kinematics on a blended pose: a hand or foot to a place, a head or weapon to a target, a tail to a point.
// Each call takes the character's locals and models, turns a few bones, and leaves the models of those bones and of all
// below up to date.
//
// Targets are in model space, units are the model's. Nothing is allocated and nothing remembered: the same pose and
// target give the same result, so many characters can be solved on many threads. A weight of 0 leaves every bit as it
// was; between 0 and 1 every bone's correction is slerped. What cannot be solved (a target that is not a number, a
// chain without length) leaves the pose alone and says so in the report. Corrections are exact under uniform scale and
// mirroring; under sheared parents the report's `missed`, which is measured, tells what is left. Formulas: docs/ik.md.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>

#include "throng/animator/pose_jobs.h"

namespace throng {

// A character's pose, to be changed in place. `models` must be the locals' (LocalToModelJob) before the call and are
// after it.
struct PoseEdit {
  const Rig& rig;
  std::span<SoaTransform> locals = {};
  std::span<Affine> models = {};
  Affine model_from_root = {};

  bool fits() const;  // the spans are at least as long as the rig wants them
};

// Why a call changed nothing.
enum class IkFault : std::uint8_t {
  none,
  spans,       // locals or models are not the rig's
  chain,       // a bone that does not exist, is not below the one before, or too many or too few of them
  not_finite,  // a target, pole, weight or limit, or the pose itself, is not a number
  no_length    // the chain's bones all lie in one point, or an axis has no length
};
const char* to_text(IkFault fault);  // what was wrong, in words

// What a call did, and what is left to its target.
struct IkReport {
  IkFault fault = IkFault::none;
  bool reached = false;  // at full weight the target is met, within the tolerance
  float weight = 0.0f;   // as used: clamped to 0 … 1
  float missed = 0.0f;   // what is left to the target after the call, weight and all: a distance, for aims an angle
  float missed_angle = 0.0f;  // of the wanted end rotation, radians; 0 where none was wanted
  float stretch = 1.0f;       // how many times its length the chain has now
  std::uint32_t iterations = 0;
};

// Upper arm, forearm, hand; thigh, shin, foot. Other bones may lie in between (twist bones): they move along rigidly.
struct TwoBoneIk {
  std::uint32_t upper = 0;
  std::uint32_t lower = 0;
  std::uint32_t end = 0;
  glm::vec3 target{0.0f};
  std::optional<glm::quat> rotation = {};  // model_from_end wanted; nothing: the end turns with the lower bone
  // A point the elbow or knee turns towards. Without one the pose's own plane of bending is kept; where the pose is
  // nearly straight, the rest pose's (whose bend also says which side is which), so that a limb never folds backwards.
  std::optional<glm::vec3> pole = {};
  // Share of the chain's length, 0 … 0.5: from there on full extension is approached smoothly instead of met with a
  // snap.
  float softness = 0.0f;
  float stretch = 0.0f;  // of the chain's length: how much longer it may become to reach; 0: not at all
  float weight = 1.0f;
  float rotation_weight = 1.0f;  // times weight
};
// Turns the two bones of a limb so that its end meets the target.
IkReport solve_two_bone(const PoseEdit& pose, const TwoBoneIk& ik);

inline constexpr std::size_t kMaxAimBones = 16;  // bones that share one aim, at most

// A bone that turns towards the target, and how much of the way.
struct AimBone {
  std::uint32_t bone = 0;
  float weight = 1.0f;       // its share of what the bones before it left missing, 0 … 1
  float limit = 3.1415927f;  // radians it may turn away from the pose
};

// Spine, neck and head look at something; arms and a weapon aim. Bones from the body outwards, each below the one
// before; the last one carries the axis. Give it weight 1 and the aim is exact where the limits allow.
struct AimIk {
  std::span<const AimBone> bones = {};
  glm::vec3 target{0.0f};
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  // in the last bone's space: what is to point at the target
  glm::vec3 origin{0.0f};            // in the last bone's space: where the axis starts (between the eyes, a muzzle)
  // With `up` (model space) the last bone is rolled about its axis until `up_axis` (its own space) is as near to it as
  // can be.
  std::optional<glm::vec3> up = {};
  glm::vec3 up_axis{0.0f, 1.0f, 0.0f};
  float total_limit = 3.1415927f;  // radians the axis may leave where the pose has it
  // The aim is let go smoothly over this many radians before the target is straight behind, where left and right would
  // flip.
  float behind_fade = 0.5f;
  std::uint32_t iterations = 4;  // passes over the bones: rotating one moves the bones after it
  float weight = 1.0f;
};
// Turns the bones so that an axis of the last one points at the target.
IkReport solve_aim(const PoseEdit& pose, const AimIk& ik);

inline constexpr std::size_t kMaxChainBones = 64;  // bones of one chain, at most

// A chain of any length up to kMaxChainBones: tails, tentacles, ropes, spines. FABRIK: forward and backward reaching.
// The last bone is brought to the target; all before it turn. A target out of reach straightens the chain towards it.
struct ChainIk {
  std::span<const std::uint32_t> bones = {};  // from the fixed end on, each below the one before; two or more
  // Radians each may rotate relative to the one before, away from the pose; empty: free.
  std::span<const float> limits = {};
  glm::vec3 target{0.0f};
  std::optional<glm::quat> rotation = {};  // model_from_bone wanted of the last bone
  float tolerance = 1e-3f;                 // of the chain's length
  std::uint32_t iterations = 32;
  float weight = 1.0f;
};
// Turns the bones of a chain so that its end meets the target.
IkReport solve_chain(const PoseEdit& pose, const ChainIk& ik);

}  // namespace throng
