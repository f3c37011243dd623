// SPDX-License-Identifier: Apache-2.0
#include "joints.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <string>

#include "rigid.h"
#include "throng/base/text.h"

namespace throng::detail::ragdoll {
namespace {

constexpr float degrees(float d) { return d * std::numbers::pi_v<float> / 180.0f; }

// Bent by less at rest (as a sine: 3 degrees), a limb does not say which way it folds.
constexpr float kBent = 0.05f;

struct Words {
  Limb limb;
  std::string_view word;
};
// In the order they are tried: "upperarm" must come before "arm".
constexpr std::array kWords{
    Words{Limb::elbow, "forearm"},    Words{Limb::elbow, "lowerarm"},  Words{Limb::elbow, "elbow"},
    Words{Limb::knee, "shin"},        Words{Limb::knee, "calf"},       Words{Limb::knee, "lowerleg"},
    Words{Limb::knee, "leglower"},    Words{Limb::knee, "knee"},       Words{Limb::thigh, "thigh"},
    Words{Limb::thigh, "upleg"},      Words{Limb::thigh, "upperleg"},  Words{Limb::collar, "clavicle"},
    Words{Limb::collar, "collar"},    Words{Limb::collar, "shoulder"}, Words{Limb::upper_arm, "arm"},
    Words{Limb::head, "head"},        Words{Limb::head, "neck"},       Words{Limb::spine, "spine"},
    Words{Limb::spine, "chest"},      Words{Limb::spine, "torso"},     Words{Limb::spine, "abdomen"},
    Words{Limb::spine, "body"},       Words{Limb::extremity, "hand"},  Words{Limb::extremity, "wrist"},
    Words{Limb::extremity, "foot"},   Words{Limb::extremity, "ankle"}, Words{Limb::extremity, "toe"},
    Words{Limb::extremity, "finger"},
};

std::string plain(std::string_view name) {
  std::string letters = lower(without_namespace(name));
  std::erase_if(letters, [](char c) { return c < 'a' || c > 'z'; });
  return letters;
}

struct Limits {
  float swing, twist;
};
Limits limits_of(Limb limb) {
  switch (limb) {
    case Limb::head:
      return {degrees(45), degrees(60)};
    case Limb::spine:
      return {degrees(24), degrees(20)};
    case Limb::collar:
      return {degrees(15), degrees(10)};
    case Limb::upper_arm:
      return {degrees(95), degrees(70)};
    case Limb::thigh:
      return {degrees(62), degrees(40)};
    case Limb::extremity:
      return {degrees(45), degrees(25)};
    case Limb::elbow:
    case Limb::knee:
    case Limb::other:
      break;
  }
  return {degrees(35), degrees(25)};
}

// How a limb that is let go lies, off straight.
constexpr float kRelaxedKnee = degrees(35);
constexpr float kRelaxedElbow = degrees(40);
// Share of the way from rest to the middle of its cone.
constexpr float kRelaxedCone = 0.3f;

// The axis about which a positive rotation bends the limb further, in model space at rest, and by how much it is bent
// there.
struct Bend {
  glm::vec3 axis{};
  float angle = 0.0f;
};
Bend bend_at_rest(const glm::vec3& into, const glm::vec3& out, const glm::vec3& forward, Limb limb) {
  const glm::vec3 axis = glm::cross(into, out);
  const float sine = glm::length(axis);
  if (sine >= kBent) return {axis / sine, std::atan2(sine, glm::dot(into, out))};
  // Straight: elbows fold forwards, knees backwards.
  const glm::vec3 towards = limb == Limb::knee ? -forward : forward;
  return {unit_or(glm::cross(out, towards), perpendicular(out)), 0.0f};
}

// A frame with z along the hinge or, for a cone, x along the bone.
glm::quat frame_with(const glm::vec3& x, const glm::vec3& z) {
  const glm::vec3 across = unit_or(z - glm::dot(z, x) * x, perpendicular(x));
  return glm::normalize(glm::quat_cast(glm::mat3(x, glm::cross(across, x), across)));
}
glm::quat frame_about(const glm::vec3& z, const glm::vec3& x) {
  const glm::vec3 along = unit_or(x - glm::dot(x, z) * z, perpendicular(z));
  return glm::normalize(glm::quat_cast(glm::mat3(along, glm::cross(z, along), z)));
}

// Where the middle of all that a limb can do points, in model space: thighs forwards and a little out from hanging,
// arms forwards and down from pointing out. Others: where they point at rest.
glm::vec3 middle_of(Limb limb, const glm::vec3& at, const glm::vec3& out, const glm::vec3& forward) {
  const glm::vec3 up(0.0f, 1.0f, 0.0f);
  const glm::vec3 across = glm::cross(up, forward);
  const glm::vec3 outwards = glm::dot(at, across) < 0.0f ? -across : across;
  if (limb == Limb::thigh && out.y < -0.5f) return glm::normalize(-up + 0.7f * forward + 0.2f * outwards);
  if (limb == Limb::upper_arm) return glm::normalize(outwards + 0.7f * forward - 0.6f * up);
  return out;
}

// The shortest rotation from one direction to another; none between opposite ones.
glm::quat between(const glm::vec3& from, const glm::vec3& to) {
  const glm::quat twice(1.0f + glm::dot(from, to), glm::cross(from, to));
  return glm::length(twice) > 1e-3f ? glm::normalize(twice) : kNoRotation;
}

}  // namespace

glm::vec3 guess_forward(const Rig& rig) {
  glm::vec3 sum(0.0f);
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    const auto parent = rig.parent(bone);
    if (!parent) continue;
    const std::string name = plain(rig.bone_name(*parent));
    if (name.find("foot") == std::string::npos && name.find("ankle") == std::string::npos) continue;
    glm::vec3 ahead = position_of(rig.rest_models()[bone]) - position_of(rig.rest_models()[*parent]);
    ahead.y = 0.0f;
    sum += ahead;
  }
  return unit_or(sum, {0.0f, 0.0f, 1.0f});
}

Limb guess_limb(std::string_view name, std::string_view parent_name) {
  const std::string own = plain(name);
  for (const Words& words : kWords) {
    if (own.find(words.word) != std::string::npos) return words.limb;
  }
  if (own.ends_with("leg") || own.starts_with("leg")) {
    return guess_limb(parent_name, {}) == Limb::thigh ? Limb::knee : Limb::thigh;
  }
  return Limb::other;
}

void guess_joint(const Rig& rig, const glm::vec3& tip, const glm::vec3& forward, const RagdollBone* wanted,
                 RagdollBody& body) {
  const auto parent = rig.parent(body.bone);
  const Rigid rest = rigid_of(rig.rest_models()[body.bone]);
  const Limb limb = guess_limb(rig.bone_name(body.bone), parent ? std::string_view(rig.bone_name(*parent)) : "");
  const glm::vec3 out = unit_or(tip - rest.at, {0.0f, 1.0f, 0.0f});
  const glm::vec3 into = parent ? unit_or(rest.at - position_of(rig.rest_models()[*parent]), out) : out;
  const bool folds = limb == Limb::elbow || limb == Limb::knee;
  body.joint = wanted && wanted->joint != JointKind::automatic ? wanted->joint
               : folds                                         ? JointKind::hinge
                                                               : JointKind::cone_twist;
  Bend bend = bend_at_rest(into, out, forward, limb);
  if (wanted && wanted->hinge_axis) bend.axis = unit_or(*wanted->hinge_axis, bend.axis);
  const glm::quat joint = body.joint == JointKind::hinge ? frame_about(bend.axis, out) : frame_with(out, bend.axis);
  body.joint_rotation = glm::normalize(glm::conjugate(rest.rotation) * joint);
  const Limits limits = limits_of(limb);
  body.swing = wanted && wanted->swing ? *wanted->swing : limits.swing;
  body.twist = wanted && wanted->twist ? *wanted->twist : limits.twist;
  // It ranges from a little over straight to where the flesh meets.
  body.hinge_range = wanted && wanted->hinge_range ? *wanted->hinge_range
                                                   : glm::vec2(-bend.angle - degrees(3), degrees(140) - bend.angle);
  if (body.joint == JointKind::hinge) {
    const float straightened = (limb == Limb::knee ? kRelaxedKnee : kRelaxedElbow) - bend.angle;
    body.relaxed = glm::angleAxis(std::clamp(straightened, body.hinge_range.x, body.hinge_range.y), glm::vec3(0, 0, 1));
    return;
  }
  // A swing given by the caller is measured from rest.
  if (!wanted || !wanted->swing) {
    const glm::quat to_middle = between(out, middle_of(limb, rest.at, out, forward));
    body.middle = glm::normalize(glm::conjugate(joint) * to_middle * joint);
  }
  body.relaxed = glm::slerp(kNoRotation, body.middle, kRelaxedCone);
}

}  // namespace throng::detail::ragdoll
