// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "world_state.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

constexpr double kLongestCall = 0.25;  // seconds
constexpr float kGroundFriction = 1.0f;
// Metres: how round Bullet makes edges of boxes and triangles, so that contacts stay stable.
constexpr float kMargin = 0.01f;

}  // namespace

namespace detail::ragdoll {

WorldState::WorldState(const RagdollWorldSettings& s) : settings(s) {
  world.setGravity(to_bullet(s.gravity * s.metres_per_unit));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = static_cast<int>(s.iterations);
  // Pushed out along with the joints: apart from them, bodies that hang together stay in the ground.
  info.m_splitImpulse = 0;
}

WorldState::~WorldState() {
  for (const auto& body : statics) world.removeRigidBody(body.get());
}

void WorldState::add_static(std::unique_ptr<btCollisionShape> shape, const Rigid& at) {
  auto body = std::make_unique<btRigidBody>(0.0f, nullptr, shape.get());
  body->setWorldTransform(to_bullet(at));
  body->setFriction(kGroundFriction);
  world.addRigidBody(body.get());
  shapes.push_back(std::move(shape));
  statics.push_back(std::move(body));
}

std::optional<RagdollRayHit> WorldState::cast_static(const glm::vec3& from, const glm::vec3& to) const {
  if (!is_finite(from) || !is_finite(to)) return std::nullopt;
  const btVector3 a = to_bullet(from * settings.metres_per_unit), b = to_bullet(to * settings.metres_per_unit);
  btCollisionWorld::ClosestRayResultCallback hit(a, b);
  hit.m_collisionFilterMask = btBroadphaseProxy::StaticFilter;
  world.rayTest(a, b, hit);
  if (!hit.hasHit()) return std::nullopt;
  return RagdollRayHit{from_bullet(hit.m_hitPointWorld) / settings.metres_per_unit, from_bullet(hit.m_hitNormalWorld),
                       hit.m_closestHitFraction};
}

const std::shared_ptr<WorldState>& state_of(const RagdollWorld& world) { return world.state_; }

}  // namespace detail::ragdoll

Result<RagdollWorld> RagdollWorld::make(const RagdollWorldSettings& s) {
  if (!is_finite(s.gravity)) return fail("ragdoll world: gravity is not finite");
  if (!(s.metres_per_unit > 0.0f && s.metres_per_unit <= 1e6f)) {
    return fail("ragdoll world: {} metres per unit; give more than 0", s.metres_per_unit);
  }
  if (!(s.step >= 1.0 / 1000.0 && s.step <= 1.0 / 30.0)) {
    return fail("ragdoll world: a step of {} s; give 1/1000 to 1/30", s.step);
  }
  if (s.iterations < 1 || s.iterations > 1000)
    return fail("ragdoll world: {} iterations; give 1 to 1000", s.iterations);
  const auto is_limit = [](float v) { return std::isfinite(v) && v > 0.0f; };
  if (!is_limit(s.max_speed) || !is_limit(s.max_spin))
    return fail("ragdoll world: a speed limit is not positive and finite");
  return RagdollWorld(std::make_shared<WorldState>(s));
}

RagdollWorld::RagdollWorld(std::shared_ptr<WorldState> state) : state_(std::move(state)) {}
RagdollWorld::RagdollWorld(RagdollWorld&&) noexcept = default;
RagdollWorld& RagdollWorld::operator=(RagdollWorld&&) noexcept = default;
RagdollWorld::~RagdollWorld() = default;

const RagdollWorldSettings& RagdollWorld::settings() const { return state_->settings; }

Result<void> RagdollWorld::add_ground(float height) {
  if (!std::isfinite(height)) return fail("ragdoll world: the ground's height is not finite");
  const float metres = height * settings().metres_per_unit;
  state_->add_static(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), metres), {});
  return {};
}

Result<void> RagdollWorld::add_box(const glm::vec3& centre, const glm::vec3& half, const glm::quat& rotation) {
  const float length = glm::length(rotation);
  if (!is_finite(centre) || !is_finite(half) || !std::isfinite(length) || !(length > 1e-6f)) {
    return fail("ragdoll world: a box's numbers are not finite, or its rotation has no length");
  }
  if (!(half.x > 0.0f && half.y > 0.0f && half.z > 0.0f)) return fail("ragdoll world: a box without volume");
  auto shape = std::make_unique<btBoxShape>(to_bullet(half * settings().metres_per_unit));
  shape->setMargin(kMargin);
  state_->add_static(std::move(shape), {centre * settings().metres_per_unit, glm::normalize(rotation)});
  return {};
}

Result<void> RagdollWorld::add_mesh(std::span<const glm::vec3> positions, std::span<const std::uint32_t> indices) {
  if (indices.empty() || indices.size() % 3 != 0)
    return fail("ragdoll world: a mesh of {} indices; give three a triangle", indices.size());
  for (const glm::vec3& p : positions) {
    if (!is_finite(p)) return fail("ragdoll world: a mesh's position is not finite");
  }
  for (const std::uint32_t i : indices) {
    if (i >= positions.size()) return fail("ragdoll world: a mesh's index {} of {} positions", i, positions.size());
  }
  auto mesh = std::make_unique<btTriangleMesh>();
  const auto at = [&](std::size_t i) { return to_bullet(positions[indices[i]] * settings().metres_per_unit); };
  for (std::size_t i = 0; i < indices.size(); i += 3) mesh->addTriangle(at(i), at(i + 1), at(i + 2));
  auto shape = std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true);
  shape->setMargin(kMargin);
  state_->meshes.push_back(std::move(mesh));
  state_->add_static(std::move(shape), {});
  return {};
}

std::uint32_t RagdollWorld::step(double dt) {
  WorldState& s = *state_;
  const double seconds = dt > 0.0 ? std::min(dt, kLongestCall) : 0.0;
  const double h = s.settings.step;
  std::uint32_t steps = 0;
  for (double end = h - s.spare; end <= seconds; end += h, ++steps) {
    // What was left over may come to a whole step by rounding: a call of no time then makes it.
    const float part_of_call = seconds > 0.0 ? static_cast<float>(end / seconds) : 1.0f;
    for (Stepped* each : s.stepped) each->before_step(part_of_call);
    s.world.stepSimulation(static_cast<btScalar>(h), 0);
    for (Stepped* each : s.stepped) each->after_step(h);
  }
  s.spare = std::clamp(s.spare + seconds - static_cast<double>(steps) * h, 0.0, h);
  for (Stepped* each : s.stepped) each->after_call();
  return steps;
}

std::optional<RagdollRayHit> RagdollWorld::cast_ray(const glm::vec3& from, const glm::vec3& to) const {
  return state_->cast_static(from, to);
}

}  // namespace throng
