// SPDX-License-Identifier: Apache-2.0
// Which body a point or a ray means.

#include <algorithm>

#include "ragdoll_state.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

// The nearest hit on one ragdoll's bodies.
struct OwnBodies final : btCollisionWorld::ClosestRayResultCallback {
  OwnBodies(const btVector3& from, const btVector3& to, const void* whose)
      : ClosestRayResultCallback(from, to), owner(whose) {}
  bool needsCollision(btBroadphaseProxy* proxy) const override {
    return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserPointer() == owner;
  }
  const void* owner;
};

Nearest nearest_on_box(const glm::vec3& half, const glm::vec3& p) {
  const glm::vec3 inside = glm::clamp(p, -half, half);
  if (inside != p) return {inside, glm::normalize(p - inside), glm::distance(p, inside)};
  const glm::vec3 depth = half - glm::abs(p);
  const int axis = depth.x <= depth.y && depth.x <= depth.z ? 0 : depth.y <= depth.z ? 1 : 2;
  Nearest n{.point = p, .normal = glm::vec3(0.0f), .distance = -depth[axis]};
  n.normal[axis] = p[axis] < 0.0f ? -1.0f : 1.0f;
  n.point[axis] = n.normal[axis] * half[axis];
  return n;
}

}  // namespace

Nearest detail::ragdoll::nearest_on(const RagdollBody& body, float metres, const glm::vec3& p) {
  const glm::vec3 half = body.half * metres;
  if (body.shape == BodyShape::box) return nearest_on_box(half, p);
  const glm::vec3 core(0.0f, std::clamp(p.y, -half.y, half.y), 0.0f);
  const glm::vec3 out = unit_or(p - core, {1.0f, 0.0f, 0.0f});
  return {core + half.x * out, out, glm::distance(p, core) - half.x};
}

std::optional<RagdollHit> Ragdoll::nearest(const glm::vec3& point) const {
  const State& p = *state_;
  if (!is_finite(point)) return std::nullopt;
  const float metres_per_unit = p.world->settings.metres_per_unit;
  std::optional<RagdollHit> best;
  for (std::size_t i = 0; i < p.moving.size(); ++i) {
    const Rigid& at = p.moving[i].now;
    const Rigid back = inverse(at);
    const Nearest n = nearest_on(p.setup->bodies()[i], p.metres, back.at + back.rotation * (point * metres_per_unit));
    const float distance = n.distance / metres_per_unit;
    if (best && best->distance <= distance) continue;
    best = RagdollHit{static_cast<std::uint32_t>(i), p.setup->bodies()[i].bone,
                      (at.at + at.rotation * n.point) / metres_per_unit, at.rotation * n.normal, distance};
  }
  return best;
}

std::optional<RagdollHit> Ragdoll::cast_ray(const glm::vec3& from, const glm::vec3& to) const {
  const State& p = *state_;
  if (!running() || !is_finite(from) || !is_finite(to)) return std::nullopt;
  const float metres_per_unit = p.world->settings.metres_per_unit;
  const btVector3 a = to_bullet(from * metres_per_unit), b = to_bullet(to * metres_per_unit);
  OwnBodies hit(a, b, &p);
  p.world->world.rayTest(a, b, hit);
  if (!hit.hasHit()) return std::nullopt;
  const auto body = static_cast<std::uint32_t>(hit.m_collisionObject->getUserIndex());
  return RagdollHit{body, p.setup->bodies()[body].bone, from_bullet(hit.m_hitPointWorld) / metres_per_unit,
                    from_bullet(hit.m_hitNormalWorld), hit.m_closestHitFraction * glm::distance(from, to)};
}

}  // namespace throng
