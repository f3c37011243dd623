// SPDX-License-Identifier: Apache-2.0
// Joints between the bodies, and who may touch whom.

#include <algorithm>
#include <array>
#include <numbers>

#include "ragdoll_parts.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

// How far, in radians, a pose may have a hinge out of its plane for the hinge to be laid as the pose has it. What is
// beyond is pulled back.
constexpr float kMostAbsorbed = 1.0f;
// Limits are widened by this much beyond a pose that exceeds them.
constexpr float kSlack = 0.02f;
constexpr glm::vec3 kTwistAxis{1.0f, 0.0f, 0.0f};
constexpr glm::vec3 kHingeAxis{0.0f, 0.0f, 1.0f};

float angle_about(const glm::quat& twist, const glm::vec3& axis) {
  const float angle = 2.0f * std::atan2(glm::dot(glm::vec3(twist.x, twist.y, twist.z), axis), twist.w);
  return std::remainder(angle, 2.0f * std::numbers::pi_v<float>);
}

// A joint's frames in its two bodies.
struct Frames {
  Rigid in_parent, in_child;
};

std::unique_ptr<btTypedConstraint> make_hinge(const RagdollBody& body, btRigidBody& parent, btRigidBody& child,
                                              Frames frames, const glm::quat& deviation) {
  const glm::quat twist = twist_about(deviation, kHingeAxis);
  glm::quat off = glm::normalize(deviation * glm::conjugate(twist));
  if (off.w < 0.0f) off = -off;
  if (const float angle = angle_of(off); angle > kMostAbsorbed)
    off = glm::slerp(kNoRotation, off, kMostAbsorbed / angle);
  frames.in_parent.rotation = glm::normalize(frames.in_parent.rotation * off);
  auto hinge =
      std::make_unique<btHingeConstraint>(parent, child, to_bullet(frames.in_parent), to_bullet(frames.in_child), true);
  const float now = angle_about(twist, kHingeAxis);
  hinge->setLimit(std::min(body.hinge_range.x, now - kSlack), std::max(body.hinge_range.y, now + kSlack));
  return hinge;
}

std::unique_ptr<btTypedConstraint> make_cone(const RagdollBody& body, btRigidBody& parent, btRigidBody& child,
                                             const Frames& frames, const glm::quat& deviation) {
  const glm::quat twist = twist_about(deviation, kTwistAxis);
  const float swing = angle_of(deviation * glm::conjugate(twist));
  auto cone =
      std::make_unique<btConeTwistConstraint>(parent, child, to_bullet(frames.in_parent), to_bullet(frames.in_child));
  const float most_swing = std::max(body.swing, swing + kSlack);
  const float most_twist = std::max(body.twist, std::abs(angle_about(twist, kTwistAxis)) + kSlack);
  cone->setLimit(most_swing, most_swing, most_twist);
  return cone;
}

// A body as a rod with a radius.
struct Rod {
  glm::vec3 a{0.0f}, b{0.0f};
  float radius = 0.0f;
};
Rod rod_of(const RagdollBody& body, const Rigid& world_from_body, float metres) {
  const bool capsule = body.shape == BodyShape::capsule;
  const float radius = capsule ? body.half.x : 0.5f * (body.half.x + body.half.z);
  const float reach = capsule ? body.half.y : std::max(body.half.y - radius, 0.0f);
  const glm::vec3 way = world_from_body.rotation * glm::vec3(0.0f, reach * metres, 0.0f);
  return {world_from_body.at - way, world_from_body.at + way, radius * metres};
}

bool overlap(const Rod& first, const Rod& second) {
  constexpr int kSamples = 12;
  const glm::vec3 way = second.b - second.a;
  const float square = std::max(glm::dot(way, way), 1e-12f);
  for (int i = 0; i <= kSamples; ++i) {
    const glm::vec3 p = glm::mix(first.a, first.b, static_cast<float>(i) / kSamples);
    const glm::vec3 q = second.a + way * std::clamp(glm::dot(p - second.a, way) / square, 0.0f, 1.0f);
    if (glm::distance(p, q) < first.radius + second.radius) return true;
  }
  return false;
}

}  // namespace

void Ragdoll::Parts::add_joint(std::size_t child, std::span<const Rigid> bones) {
  const RagdollBody& body = setup->bodies()[child];
  if (body.parent < 0) return;
  const auto parent = static_cast<std::size_t>(body.parent);
  if (!parts[parent].falls && !parts[child].falls) return;
  const auto rest = setup->rig().rest_models();
  const glm::quat parent_from_bone =
      glm::conjugate(rigid_of(rest[setup->bodies()[parent].bone]).rotation) * rigid_of(rest[body.bone]).rotation;
  const Rigid now = inverse(bones[parent]) * bones[child];
  // From the joint's frame at rest to that of the pose.
  const glm::quat deviation =
      glm::normalize(glm::conjugate(parent_from_bone * body.joint_rotation) * now.rotation * body.joint_rotation);
  // The joint is where the pose has it: nothing is torn apart at the start, whatever the animation stretches.
  const Frames frames{inverse(parts[parent].bone_from_body) * Rigid{now.at, parent_from_bone * body.joint_rotation},
                      inverse(parts[child].bone_from_body) * Rigid{glm::vec3(0.0f), body.joint_rotation}};
  btRigidBody& a = *parts[parent].body;
  btRigidBody& b = *parts[child].body;
  auto joint = body.joint == JointKind::hinge ? make_hinge(body, a, b, frames, deviation)
                                              : make_cone(body, a, b, frames, deviation);
  world->world.addConstraint(joint.get(), true);
  joints.push_back(std::move(joint));
}

void Ragdoll::Parts::hold_apart() {
  const auto bodies = setup->bodies();
  std::vector<Rod> now, rest;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    now.push_back(rod_of(bodies[i], parts[i].now, metres));
    Rigid bone = rigid_of(setup->rig().rest_models()[bodies[i].bone]);
    bone.at *= metres;
    rest.push_back(rod_of(bodies[i], bone * parts[i].bone_from_body, metres));
  }
  const auto related = [&](std::size_t a, std::size_t b) {
    const std::int32_t pa = bodies[a].parent, pb = bodies[b].parent;
    const auto above = [&](std::int32_t p) { return p < 0 ? -1 : bodies[static_cast<std::size_t>(p)].parent; };
    const auto ia = static_cast<std::int32_t>(a), ib = static_cast<std::int32_t>(b);
    return pa == ib || pb == ia || (pa >= 0 && pa == pb) || above(pa) == ib || above(pb) == ia;
  };
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      const bool touch =
          setup->settings().self_collision && !related(a, b) && !overlap(now[a], now[b]) && !overlap(rest[a], rest[b]);
      if (touch) continue;
      parts[a].body->setIgnoreCollisionCheck(parts[b].body.get(), true);
      parts[b].body->setIgnoreCollisionCheck(parts[a].body.get(), true);
    }
  }
}

}  // namespace throng
