// SPDX-License-Identifier: Apache-2.0
#include "ragdoll_state.h"

#include <algorithm>

namespace throng {

using namespace detail::ragdoll;

namespace {

// What counts as still.
constexpr float kStillSpeed = 0.12f;  // metres a second
constexpr float kStillSpin = 1.0f;    // radians a second
// Bullet puts to sleep what is slower for two seconds.
constexpr float kSleepSpeed = 0.1f, kSleepSpin = 0.4f;
// So far, of its size, and so many radians may a body go and still count as being where it was.
constexpr float kPlaceReach = 0.01f, kPlaceTurn = 0.08f;
// Metres a second, over all its mass: slower, it lies.
constexpr float kLiesSpeed = 0.4f;
// All in their places for the first time, it is braked; for the second, it sleeps. Seconds.
constexpr double kLiesAfter = 0.3, kSleepsAfter = 1.0;
// The same for what has been slow for so long and still creeps.
constexpr double kCreepsAfter = 2.5, kCreepsNoMore = 4.5;
constexpr float kBrake = 0.3f;             // of the speed, a step of 1/120 s, at the end
constexpr float kLeastGyration = 0.03f;    // of the model's size: how far from its axes a body's mass is at least
constexpr float kRollingFriction = 0.03f;  // metres: of round bodies
// Share of a body's thinnest half: Bullet's rounding of boxes.
constexpr float kMargin = 0.2f;

std::unique_ptr<btCollisionShape> make_shape(const RagdollBody& body, float metres) {
  const glm::vec3 half = body.half * metres;
  if (body.shape == BodyShape::capsule) return std::make_unique<btCapsuleShape>(half.x, 2.0f * half.y);
  auto box = std::make_unique<btBoxShape>(to_bullet(half));
  box->setMargin(kMargin * std::min({half.x, half.y, half.z}));
  return box;
}

float thinnest(const RagdollBody& body) { return std::min({body.half.x, body.half.z, body.half.y + body.half.x}); }

// Bullet's own boxes around tilted capsules are too large for this.
float lowest_of(const RagdollBody& body, const Rigid& at, float metres) {
  const glm::mat3 axes = glm::mat3_cast(at.rotation);
  const glm::vec3 up = glm::abs(glm::vec3(axes[0].y, axes[1].y, axes[2].y));
  if (body.shape == BodyShape::capsule) return at.at.y - (body.half.x + up.y * body.half.y) * metres;
  return at.at.y - glm::dot(up, body.half) * metres;
}

btVector3 at_most(const btVector3& v, float most) {
  const float length = v.length();
  if (!std::isfinite(length)) return {0, 0, 0};
  return length > most ? v * (most / length) : v;
}

}  // namespace

void Ragdoll::State::clear() {
  for (const auto& joint : joints) world->world.removeConstraint(joint.get());
  for (const auto& each : moving) world->world.removeRigidBody(each.body.get());
  joints.clear();
  held.clear();
  moving.clear();
  places.clear();
  std::erase(world->stepped, this);
  still = calm = lying = 0.0;
}

void Ragdoll::State::add_body(const RagdollBody& body, const Rigid& world_from_bone, bool falls) {
  MovingBody made;
  made.falls = falls;
  made.bone_from_body = {body.centre * metres, body.rotation};
  made.before = made.now = made.from = made.target = world_from_bone * made.bone_from_body;
  made.shape = make_shape(body, metres);
  made.state = std::make_unique<btDefaultMotionState>(to_bullet(made.now));
  btVector3 inertia(0, 0, 0);
  const float mass = falls ? body.mass : 0.0f;
  if (falls) made.shape->calculateLocalInertia(mass, inertia);
  // Thin bodies between heavy ones would spin on their joints.
  const float least_inertia = mass * std::pow(kLeastGyration * setup->size() * metres, 2.0f);
  inertia.setMax({least_inertia, least_inertia, least_inertia});
  btRigidBody::btRigidBodyConstructionInfo info(mass, made.state.get(), made.shape.get(), inertia);
  info.m_friction = setup->settings().friction;
  info.m_linearDamping = setup->settings().linear_damping;
  info.m_angularDamping = setup->settings().angular_damping;
  made.body = std::make_unique<btRigidBody>(info);
  made.body->setSleepingThresholds(kSleepSpeed, kSleepSpin);
  made.body->setRollingFriction(kRollingFriction);
  made.body->setSpinningFriction(kRollingFriction);
  const float radius = thinnest(body) * metres;
  made.body->setCcdMotionThreshold(radius);
  made.body->setCcdSweptSphereRadius(0.5f * radius);
  made.body->setUserPointer(this);
  made.body->setUserIndex(static_cast<int>(moving.size()));
  if (!falls) made.body->setCollisionFlags(made.body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  // What hangs on the animation must not sleep while that moves.
  if (from) made.body->setActivationState(DISABLE_DEACTIVATION);
  world->world.addRigidBody(made.body.get());
  moving.push_back(std::move(made));
}

void Ragdoll::State::limit_speed(btRigidBody& body) const {
  body.setLinearVelocity(at_most(body.getLinearVelocity(), world->settings.max_speed));
  body.setAngularVelocity(at_most(body.getAngularVelocity(), world->settings.max_spin));
}

void Ragdoll::State::before_step(float part_of_call) {
  use_muscles(world->settings.step);
  for (MovingBody& each : moving) {
    if (each.falls) continue;
    const Rigid at{glm::mix(each.from.at, each.target.at, part_of_call),
                   glm::normalize(glm::slerp(each.from.rotation, each.target.rotation, part_of_call))};
    each.state->setWorldTransform(to_bullet(at));
  }
}

void Ragdoll::State::after_step(double seconds) {
  float speed = 0.0f, spin = 0.0f;
  for (MovingBody& each : moving) {
    each.before = each.now;
    each.now = from_bullet(each.body->getWorldTransform());
    if (!each.falls) continue;
    limit_speed(*each.body);
    speed = std::max(speed, each.body->getLinearVelocity().length());
    spin = std::max(spin, each.body->getAngularVelocity().length());
  }
  still = speed < kStillSpeed && spin < kStillSpin ? still + seconds : 0.0;
  if (!from) calm_down(seconds);
}

void Ragdoll::State::calm_down(double seconds) {
  float mass = 0.0f, motion = 0.0f;
  for (std::size_t i = 0; i < moving.size(); ++i) {
    mass += setup->bodies()[i].mass;
    motion += setup->bodies()[i].mass * moving[i].body->getLinearVelocity().length2();
  }
  lying = motion < mass * kLiesSpeed * kLiesSpeed ? lying + seconds : 0.0;
  const float reach = kPlaceReach * setup->size() * metres;
  const auto left = [&](std::size_t i) {
    return glm::distance(moving[i].now.at, places[i].at) > reach ||
           angle_of(moving[i].now.rotation * glm::conjugate(places[i].rotation)) > kPlaceTurn;
  };
  calm += seconds;
  bool anybody = places.size() != moving.size();
  for (std::size_t i = 0; i < moving.size() && !anybody; ++i) anybody = left(i);
  if (anybody) {
    places.clear();
    for (const MovingBody& each : moving) places.push_back(each.now);
    calm = 0.0;
  }
  const double trembles = (calm - kLiesAfter) / (kSleepsAfter - kLiesAfter);
  const double creeps = (lying - kCreepsAfter) / (kCreepsNoMore - kCreepsAfter);
  const auto by = static_cast<float>(std::max(trembles, creeps));
  if (by <= 0.0f) return;
  const bool sleeps = by >= 1.0f;
  const float keep = sleeps ? 0.0f : std::pow(1.0f - kBrake * by, static_cast<float>(seconds * 120.0));
  for (const MovingBody& each : moving) {
    each.body->setLinearVelocity(each.body->getLinearVelocity() * keep);
    each.body->setAngularVelocity(each.body->getAngularVelocity() * keep);
    if (sleeps && each.body->isActive()) each.body->forceActivationState(ISLAND_SLEEPING);
  }
}

void Ragdoll::State::after_call() {
  for (MovingBody& each : moving) each.from = each.target;
}

Rigid Ragdoll::State::world_from_bone(std::size_t number, float between) const {
  const MovingBody& p = moving[number];
  const Rigid body{glm::mix(p.before.at, p.now.at, between),
                   glm::normalize(glm::slerp(p.before.rotation, p.now.rotation, between))};
  return body * inverse(p.bone_from_body);
}

std::vector<Rigid> Ragdoll::State::bones_in(std::span<const Affine> pose, const glm::mat4& world_from_model) const {
  std::vector<Rigid> bones;
  bones.reserve(setup->bodies().size());
  const glm::quat world_rotation = rotation_of(glm::mat3(world_from_model));
  for (const RagdollBody& body : setup->bodies()) {
    const Rigid bone = rigid_of(pose[body.bone]);
    const glm::vec3 at(world_from_model * glm::vec4(bone.at, 1.0f));
    bones.push_back({at * world->settings.metres_per_unit, glm::normalize(world_rotation * bone.rotation)});
  }
  return bones;
}

RagdollMotion Ragdoll::State::measure() const {
  RagdollMotion m{.still_seconds = still};
  m.lowest = moving.empty() ? 0.0f : std::numeric_limits<float>::max();
  const btVector3 gravity = world->world.getGravity();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const btRigidBody& body = *moving[i].body;
    if (!moving[i].falls) continue;
    const Rigid at = from_bullet(body.getWorldTransform());
    m.lowest = std::min(m.lowest, lowest_of(setup->bodies()[i], at, metres) / world->settings.metres_per_unit);
    m.max_speed = std::max(m.max_speed, body.getLinearVelocity().length());
    m.max_spin = std::max(m.max_spin, body.getAngularVelocity().length());
    const btVector3 spin = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    const btVector3 inertia = body.getLocalInertia();
    const double mass = static_cast<double>(setup->bodies()[i].mass);
    m.energy += 0.5 * mass * static_cast<double>(body.getLinearVelocity().length2()) +
                0.5 * static_cast<double>((spin * inertia).dot(spin)) -
                mass * static_cast<double>(gravity.dot(body.getWorldTransform().getOrigin()));
  }
  for (const auto& joint : joints) {
    const auto* hinge = dynamic_cast<const btHingeConstraint*>(joint.get());
    const auto* cone = dynamic_cast<const btConeTwistConstraint*>(joint.get());
    const btTransform& in_a = hinge ? hinge->getAFrame() : cone->getAFrame();
    const btTransform& in_b = hinge ? hinge->getBFrame() : cone->getBFrame();
    const btVector3 a = joint->getRigidBodyA().getWorldTransform() * in_a.getOrigin();
    const btVector3 b = joint->getRigidBodyB().getWorldTransform() * in_b.getOrigin();
    m.separation = std::max(m.separation, a.distance(b));
  }
  return m;
}

}  // namespace throng
