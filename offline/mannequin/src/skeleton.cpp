// SPDX-License-Identifier: Apache-2.0
#include "skeleton.h"

#include <cmath>

namespace throng::detail::mannequin {
namespace {

using glm::dvec3;

glm::dquat frame(const dvec3& along, const dvec3& forward) {
  const dvec3 y = glm::normalize(along);
  const dvec3 x = glm::normalize(glm::cross(y, forward));
  return glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y))));
}

dvec3 mirrored(const dvec3& p, Side side) { return side == Side::left ? p : dvec3(-p.x, p.y, p.z); }

struct Builder {
  std::vector<RestBone> bones = std::vector<RestBone>(kBoneCount);

  void add(std::uint32_t id, std::int32_t parent, std::string name, const dvec3& head, const dvec3& tail,
           const dvec3& forward = {0.0, 0.0, 1.0}) {
    bones[id] = {std::move(name), parent, head, tail, frame(tail - head, forward)};
  }
  void pair(std::uint32_t id, std::uint32_t left_parent, bool parent_has_sides, const std::string& name,
            const dvec3& head, const dvec3& tail, const dvec3& forward = {0.0, 0.0, 1.0}) {
    for (const Side side : kSides) {
      const std::uint32_t parent = parent_has_sides ? of_side(left_parent, side) : left_parent;
      add(of_side(id, side), static_cast<std::int32_t>(parent), name + (side == Side::left ? ".L" : ".R"),
          mirrored(head, side), mirrored(tail, side), mirrored(forward, side));
    }
  }
};

std::vector<RestBone> lay_out() {
  using L = Landmarks;
  Builder b;
  const dvec3 hips{0.0, 0.965, -0.005}, spine{0.0, 1.060, -0.002}, chest{0.0, 1.175, -0.010};
  const dvec3 upper_chest{0.0, 1.300, -0.022}, neck{0.0, 1.490, -0.022}, head{0.0, 1.575, 0.000};
  const dvec3 up{0.0, 1.0, 0.0};
  b.add(kRoot, -1, "root", dvec3(0.0), up * 0.1);
  b.add(kHips, kRoot, "hips", hips, spine);
  b.add(kSpine, kHips, "spine", spine, chest);
  b.add(kChest, kSpine, "chest", chest, upper_chest);
  b.add(kUpperChest, kChest, "upper_chest", upper_chest, neck);
  b.add(kNeck, kUpperChest, "neck", neck, head);
  b.add(kHead, kNeck, "head", head, head + up * 0.225);
  b.pair(kClavicle, kUpperChest, false, "clavicle", L::clavicle, L::shoulder);
  // Takes half of what the upper arm turns, so that a raised arm does not wring the skin around it.
  b.pair(kShoulder, kClavicle, true, "shoulder", L::shoulder, L::shoulder + L::arm_direction() * 0.1);
  b.pair(kUpperArm, kShoulder, true, "upper_arm", L::shoulder, L::elbow());
  b.pair(kForearm, kUpperArm, true, "forearm", L::elbow(), L::wrist());
  b.pair(kHand, kForearm, true, "hand", L::wrist(), L::knuckles());
  b.pair(kFingers, kHand, true, "fingers", L::knuckles(), L::mid_finger());
  b.pair(kFingertips, kFingers, true, "fingertips", L::mid_finger(), L::mid_finger() + L::arm_direction() * 0.042);
  b.pair(kThumb, kHand, true, "thumb", L::thumb_base(), L::thumb_tip());
  b.pair(kThigh, kHips, false, "thigh", L::hip, L::knee);
  b.pair(kShin, kThigh, true, "shin", L::knee, L::ankle);
  b.pair(kFoot, kShin, true, "foot", L::ankle, L::ball, up);
  b.pair(kToes, kFoot, true, "toes", L::ball, L::toe, up);
  return std::move(b.bones);
}

glm::dmat4 model_from_bone(const RestBone& bone) { return to_matrix({bone.head, bone.rotation, dvec3(1.0)}); }

Socket socket(std::string name, std::uint32_t bone, const dvec3& position, const glm::dquat& rotation) {
  const RestBone& b = rest_bones()[bone];
  const glm::dquat inverse = glm::conjugate(b.rotation);
  return {std::move(name), bone, {inverse * (position - b.head), glm::normalize(inverse * rotation), dvec3(1.0)}};
}

}  // namespace

dvec3 Landmarks::arm_direction() { return {std::sin(kArmAngle), -std::cos(kArmAngle), 0.0}; }
dvec3 Landmarks::palm_normal() { return {-std::cos(kArmAngle), -std::sin(kArmAngle), 0.0}; }
dvec3 Landmarks::elbow() { return shoulder + arm_direction() * upper_arm - dvec3(0.0, 0.0, 0.006); }
// The forearm leans forward a little, as a hanging arm does, so the elbow knows which way to fold.
dvec3 Landmarks::wrist() { return elbow() + glm::normalize(arm_direction() + dvec3(0.0, 0.0, 0.10)) * forearm; }
// Nearer the palm than the back of the hand, where fingers fold.
dvec3 Landmarks::knuckles() { return wrist() + arm_direction() * palm + palm_normal() * 0.006; }
dvec3 Landmarks::mid_finger() { return knuckles() + arm_direction() * finger; }
dvec3 Landmarks::thumb_base() {
  return wrist() + arm_direction() * 0.024 + dvec3(0.0, 0.0, 0.020) + palm_normal() * 0.006;
}
dvec3 Landmarks::thumb_tip() {
  return wrist() + arm_direction() * 0.088 + dvec3(0.0, 0.0, 0.060) + palm_normal() * 0.020;
}

const std::vector<RestBone>& rest_bones() {
  static const std::vector<RestBone> bones = lay_out();
  return bones;
}

std::vector<Bone> make_bones() {
  std::vector<Bone> bones;
  for (const RestBone& rest : rest_bones()) {
    Bone bone{rest.name, std::nullopt, {rest.head, rest.rotation, dvec3(1.0)}};
    if (rest.parent >= 0) {
      const RestBone& parent = rest_bones()[static_cast<std::size_t>(rest.parent)];
      const glm::dquat inverse = glm::conjugate(parent.rotation);
      bone.parent = static_cast<std::uint32_t>(rest.parent);
      bone.rest.translation = inverse * (rest.head - parent.head);
      bone.rest.rotation = glm::normalize(inverse * rest.rotation);
    }
    bones.push_back(std::move(bone));
  }
  return bones;
}

std::vector<Binding> make_bindings() {
  std::vector<Binding> bindings;
  for (std::uint32_t i = 0; i < kBoneCount; ++i)
    bindings.push_back({i, glm::inverse(model_from_bone(rest_bones()[i]))});
  return bindings;
}

std::vector<Socket> make_sockets() {
  std::vector<Socket> sockets;
  for (const Side side : kSides) {
    const dvec3 palm =
        mirrored(Landmarks::wrist() + Landmarks::arm_direction() * 0.062 + Landmarks::palm_normal() * 0.024, side);
    const dvec3 grip{0.0, 0.0, 1.0}, fingers = mirrored(Landmarks::arm_direction(), side);
    const glm::dquat rotation = glm::quat_cast(glm::dmat3(glm::cross(grip, fingers), grip, fingers));
    sockets.push_back(socket(side == Side::left ? "hand.L" : "hand.R", of_side(kHand, side), palm, rotation));
  }
  sockets.push_back(socket("head", kHead, {0.0, 1.80, -0.005}, {1.0, 0.0, 0.0, 0.0}));
  return sockets;
}

}  // namespace throng::detail::mannequin
