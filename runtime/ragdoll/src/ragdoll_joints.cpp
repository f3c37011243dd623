// SPDX-License-Identifier: Apache-2.0
// Joints between the bodies, and who may touch whom.

#include <algorithm>
#include <array>
#include <numbers>

#include "ragdoll_state.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

// How far, in radians, a pose may have a hinge out of its plane for the hinge to be laid as the pose has it. What is
// beyond is pulled back.
constexpr float kMostAbsorbed = 1.0f;
// Limits are widened by this much beyond a pose that exceeds them.
constexpr float kSlack = 0.02f;
// Radians a second, a second, that a joint takes from any swing: what creeps stops.
constexpr float kDry = 4.0f;
// Both grow by so much over so many seconds while it lies, or a heap of limbs would take for ever to sort itself out.
constexpr float kStiffening = 8.0f;
constexpr double kStiffens = 2.0;
// How much quicker than its tone a hinge comes back from where it is too straight or too folded, and where that begins:
// so many radians before it can fold no more. Enough to keep a knee bent between a hip and a heel that both lie, on
// stairs one above the other.
constexpr float kSinews = 14.0f;
constexpr float kFlesh = 0.8f;
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
                                             Frames frames, const glm::quat& from_rest) {
  frames.in_parent.rotation = glm::normalize(frames.in_parent.rotation * body.middle);
  const glm::quat deviation = glm::normalize(glm::conjugate(body.middle) * from_rest);
  const glm::quat twist = twist_about(deviation, kTwistAxis);
  const float swing = angle_of(deviation * glm::conjugate(twist));
  auto cone =
      std::make_unique<btConeTwistConstraint>(parent, child, to_bullet(frames.in_parent), to_bullet(frames.in_child));
  const float most_swing = std::max(body.swing, swing + kSlack);
  const float most_twist = std::max(body.twist, std::abs(angle_about(twist, kTwistAxis)) + kSlack);
  cone->setLimit(most_swing, most_swing, most_twist);
  return cone;
}

// How far a hinge is straighter than it likes to be, or folded more, as an angle that would bring it back. Sinews and
// flesh hold it there, even against what lies on it: knees neither lock nor fold flat. `left`: to where it is relaxed.
float beyond_ease(const RagdollBody& body, const glm::quat& left) {
  const float way = angle_about(twist_about(left, kHingeAxis), kHingeAxis);
  const float folded = angle_about(body.relaxed, kHingeAxis) - way - (body.hinge_range.y - kFlesh);
  return way > 0.0f ? way : folded > 0.0f ? -folded : 0.0f;
}

// What turns two bodies against each other by a radian a second about `axis`.
float inertia_between(const btRigidBody& a, const btRigidBody& b, const btVector3& axis) {
  const float both = axis.dot((a.getInvInertiaTensorWorld() * axis) + (b.getInvInertiaTensorWorld() * axis));
  return both > 0.0f ? 1.0f / both : 0.0f;
}
btVector3 impulse_for(const btRigidBody& a, const btRigidBody& b, const btVector3& spin) {
  const float length = spin.length();
  return length > 0.0f ? spin * inertia_between(a, b, spin / length) : btVector3(0, 0, 0);
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

glm::quat Ragdoll::State::parent_from_joint_at_rest(std::size_t child) const {
  const auto rest = setup->rig().rest_models();
  const RagdollBody& body = setup->bodies()[child];
  const std::uint32_t parent = setup->bodies()[static_cast<std::size_t>(body.parent)].bone;
  return glm::normalize(glm::conjugate(rigid_of(rest[parent]).rotation) * rigid_of(rest[body.bone]).rotation *
                        body.joint_rotation);
}

void Ragdoll::State::add_joint(std::size_t child, std::span<const Rigid> bones) {
  const RagdollBody& body = setup->bodies()[child];
  if (body.parent < 0) return;
  const auto parent = static_cast<std::size_t>(body.parent);
  if (!moving[parent].falls && !moving[child].falls) return;
  const Rigid now = inverse(bones[parent]) * bones[child];
  const glm::quat parent_from_joint = parent_from_joint_at_rest(child);
  const glm::quat deviation = glm::normalize(glm::conjugate(parent_from_joint) * now.rotation * body.joint_rotation);
  // The joint is where the pose has it: nothing is torn apart at the start, whatever the animation stretches.
  const Frames frames{inverse(moving[parent].bone_from_body) * Rigid{now.at, parent_from_joint},
                      inverse(moving[child].bone_from_body) * Rigid{glm::vec3(0.0f), body.joint_rotation}};
  btRigidBody& a = *moving[parent].body;
  btRigidBody& b = *moving[child].body;
  auto joint = body.joint == JointKind::hinge ? make_hinge(body, a, b, frames, deviation)
                                              : make_cone(body, a, b, frames, deviation);
  world->world.addConstraint(joint.get(), true);
  joints.push_back(std::move(joint));
  held.push_back({parent, child, parent_from_joint});
}

void Ragdoll::State::use_muscles(double seconds) {
  const auto h = static_cast<float>(seconds);
  const float stiffening = 1.0f + kStiffening * static_cast<float>(std::clamp(lying / kStiffens, 0.0, 1.0));
  const float damping = 1.0f - std::exp(-setup->settings().joint_damping * stiffening * h);
  const float dry = kDry * stiffening * h;
  const float tone = setup->settings().tone * setup->settings().tone * h;
  const float sinews = kSinews * kSinews;
  for (const Held& joint : held) {
    btRigidBody& a = *moving[joint.parent].body;
    btRigidBody& b = *moving[joint.child].body;
    if (!b.isActive()) continue;
    const glm::quat world_from_joint = from_bullet(a.getWorldTransform()).rotation *
                                       glm::conjugate(moving[joint.parent].bone_from_body.rotation) *
                                       joint.parent_from_joint;
    const RagdollBody& body = setup->bodies()[joint.child];
    const glm::quat world_from_child = from_bullet(b.getWorldTransform()).rotation *
                                       glm::conjugate(moving[joint.child].bone_from_body.rotation) *
                                       body.joint_rotation;
    // What is left to where it is relaxed, as seen from the parent.
    glm::quat left = body.relaxed * glm::conjugate(glm::conjugate(world_from_joint) * world_from_child);
    if (left.w < 0.0f) left = -left;
    glm::vec3 way = 2.0f * glm::vec3(left.x, left.y, left.z);
    if (body.joint == JointKind::hinge) way.z += sinews * beyond_ease(body, left);
    way = world_from_joint * way;
    const btVector3 swing = b.getAngularVelocity() - a.getAngularVelocity();
    const float stops = std::min(damping + dry / std::max(swing.length(), 1e-6f), 1.0f);
    const btVector3 impulse = impulse_for(a, b, tone * to_bullet(way)) - impulse_for(a, b, stops * swing);
    a.applyTorqueImpulse(-impulse);
    b.applyTorqueImpulse(impulse);
  }
}

void Ragdoll::State::hold_apart() {
  const auto bodies = setup->bodies();
  std::vector<Rod> now, rest;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    now.push_back(rod_of(bodies[i], moving[i].now, metres));
    Rigid bone = rigid_of(setup->rig().rest_models()[bodies[i].bone]);
    bone.at *= metres;
    rest.push_back(rod_of(bodies[i], bone * moving[i].bone_from_body, metres));
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
      moving[a].body->setIgnoreCollisionCheck(moving[b].body.get(), true);
      moving[b].body->setIgnoreCollisionCheck(moving[a].body.get(), true);
    }
  }
}

}  // namespace throng
