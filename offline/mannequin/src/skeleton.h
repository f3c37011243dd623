// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin's bones at rest: a relaxed A-pose, 1.80 m tall, facing +Z, its left hand towards +X. Everything else
// about the mannequin (shape, weights, clips, sockets) is placed relative to the landmarks given here.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "throng/model/model.h"

namespace throng::detail::mannequin {

// In file order: parents first. Bones of a limb follow each other; of_side() finds the other side's.
enum BoneId : std::uint32_t {
  kRoot,
  kHips,
  kSpine,
  kChest,
  kUpperChest,
  kNeck,
  kHead,
  kClavicle,
  kShoulder,
  kUpperArm,
  kForearm,
  kHand,
  kFingers,
  kFingertips,
  kThumb,  // left
  kRightArm,
  kThigh = kRightArm + 8,
  kShin,
  kFoot,
  kToes,  // left
  kRightLeg,
  kBoneCount = kRightLeg + 4,
};

enum class Side : std::uint8_t { left, right };
inline constexpr std::array kSides{Side::left, Side::right};

// The same bone of the given side, from the left one's name.
constexpr std::uint32_t of_side(std::uint32_t left_bone, Side side) {
  if (side == Side::left) return left_bone;
  return left_bone + (left_bone >= kThigh ? kRightLeg - kThigh : kRightArm - kClavicle);
}

// Left-hand points of the rest pose in model space, metres; mirror x for the right.
struct Landmarks {
  static constexpr double kArmAngle = 0.61086523819801535;  // 35° away from straight down
  static constexpr glm::dvec3 hip{0.094, 0.925, -0.004};
  static constexpr glm::dvec3 knee{0.098, 0.500, 0.012};
  static constexpr glm::dvec3 ankle{0.102, 0.088, -0.030};
  static constexpr glm::dvec3 ball{0.112, 0.026, 0.100};
  static constexpr glm::dvec3 toe{0.118, 0.018, 0.182};
  static constexpr glm::dvec3 heel{0.102, 0.000, -0.082};
  static constexpr glm::dvec3 clavicle{0.020, 1.432, 0.010};
  static constexpr glm::dvec3 shoulder{0.184, 1.434, -0.016};
  static constexpr double upper_arm = 0.290;
  static constexpr double forearm = 0.255;
  static constexpr double palm = 0.088;    // wrist to knuckles
  static constexpr double finger = 0.047;  // knuckles to the middle of the fingers
  static glm::dvec3 arm_direction();
  static glm::dvec3 palm_normal();  // out of the left palm
  static glm::dvec3 elbow();
  static glm::dvec3 wrist();
  static glm::dvec3 knuckles();
  static glm::dvec3 mid_finger();
  static glm::dvec3 thumb_base();
  static glm::dvec3 thumb_tip();
};

// A bone at rest in model space: +Y of `rotation` runs along the bone, +Z forward (up, for feet and toes).
struct RestBone {
  std::string name;
  std::int32_t parent = -1;
  glm::dvec3 head{0.0};
  glm::dvec3 tail{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

// kBoneCount of them.
const std::vector<RestBone>& rest_bones();

std::vector<Bone> make_bones();
std::vector<Binding> make_bindings();

// hand.L and hand.R lie in the palm: +Y along what a closed hand grips, out of the thumb's side; +Z along the fingers.
// head lies on the crown: +Y up, +Z where the face looks.
std::vector<Socket> make_sockets();

}  // namespace throng::detail::mannequin
