// SPDX-License-Identifier: Apache-2.0
#include "throng/ragdoll/ragdoll.h"

#include <algorithm>
#include <cmath>

#include "ragdoll_state.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

// Metres: characters Bullet is made for.
constexpr float kSmallest = 0.05f, kLargest = 100.0f;

Result<void> check(const RagdollSetup& setup, const RagdollStart& s, float metres_per_unit) {
  const Rig& rig = setup.rig();
  if (s.models.size() != rig.bone_count() || (!s.models_before.empty() && s.models_before.size() != rig.bone_count())) {
    return fail("ragdoll: {} models for a rig of {} bones", s.models.size(), rig.bone_count());
  }
  const auto finite = [](const Affine& a) { return is_finite(a); };
  if (!std::all_of(s.models.begin(), s.models.end(), finite) ||
      !std::all_of(s.models_before.begin(), s.models_before.end(), finite) || !is_finite(s.world_from_model) ||
      (s.world_from_model_before && !is_finite(*s.world_from_model_before))) {
    return fail("ragdoll: a pose or world_from_model is not finite");
  }
  const float size = setup.size() * scale_of(s.world_from_model) * metres_per_unit;
  if (!(size >= kSmallest && size <= kLargest)) {
    return fail("ragdoll: the character is {:.3g} m large, not {} to {}; scale world_from_model or set metres_per_unit",
                size, kSmallest, kLargest);
  }
  if (s.from && *s.from >= rig.bone_count()) return fail("ragdoll: there is no bone {}", *s.from);
  return {};
}

}  // namespace

Ragdoll::Ragdoll(const RagdollWorld& world, std::shared_ptr<const RagdollSetup> setup)
    : state_(std::make_unique<State>(state_of(world), std::move(setup))) {
  state_->models.resize(state_->setup->rig().bone_count());
}
Ragdoll::Ragdoll(Ragdoll&&) noexcept = default;
Ragdoll& Ragdoll::operator=(Ragdoll&&) noexcept = default;
Ragdoll::~Ragdoll() = default;

const RagdollSetup& Ragdoll::setup() const { return *state_->setup; }
bool Ragdoll::running() const { return !state_->moving.empty(); }
std::optional<std::uint32_t> Ragdoll::from() const { return state_->from; }
void Ragdoll::stop() { state_->clear(); }
RagdollMotion Ragdoll::motion() const { return state_->measure(); }

Result<void> Ragdoll::start(const RagdollStart& s) {
  State& p = *state_;
  const float metres_per_unit = p.world->settings.metres_per_unit;
  THRONG_CHECK(check(*p.setup, s, metres_per_unit));
  const auto bodies = p.setup->bodies();
  const auto falls = [&](const RagdollBody& body) { return !s.from || p.setup->rig().is_below(body.bone, *s.from); };
  if (std::none_of(bodies.begin(), bodies.end(), falls)) {
    return fail("ragdoll: bone '{}' has no body at or below it; start from one above",
                p.setup->rig().bone_name(*s.from));
  }
  p.clear();
  // All of it: nothing is left to follow the animation.
  p.from = std::all_of(bodies.begin(), bodies.end(), falls) ? std::nullopt : s.from;
  p.metres = scale_of(s.world_from_model) * metres_per_unit;
  const std::vector<Rigid> bones = p.bones_in(s.models, s.world_from_model);
  for (std::size_t i = 0; i < bodies.size(); ++i) p.add_body(bodies[i], bones[i], falls(bodies[i]));
  for (std::size_t i = 0; i < bodies.size(); ++i) p.add_joint(i, bones);
  p.hold_apart();
  p.set_velocities(s);
  p.world->stepped.push_back(&p);
  return {};
}

void Ragdoll::State::set_velocities(const RagdollStart& s) {
  if (s.models_before.empty() || !(s.seconds > 1e-5f) || !std::isfinite(s.seconds)) return;
  const std::vector<Rigid> before = bones_in(s.models_before, s.world_from_model_before.value_or(s.world_from_model));
  for (std::size_t i = 0; i < moving.size(); ++i) {
    if (!moving[i].falls) continue;
    const Rigid then = before[i] * moving[i].bone_from_body;
    moving[i].body->setLinearVelocity(to_bullet((moving[i].now.at - then.at) / s.seconds));
    moving[i].body->setAngularVelocity(to_bullet(angular_velocity(then.rotation, moving[i].now.rotation, s.seconds)));
    limit_speed(*moving[i].body);
  }
}

void Ragdoll::follow(std::span<const Affine> models, const glm::mat4& world_from_model) {
  State& p = *state_;
  if (!running() || !p.from || models.size() != p.setup->rig().bone_count() || !is_finite(world_from_model)) return;
  const glm::quat world_rotation = rotation_of(glm::mat3(world_from_model));
  for (std::size_t i = 0; i < p.moving.size(); ++i) {
    const Affine& model = models[p.setup->bodies()[i].bone];
    if (p.moving[i].falls || !is_finite(model)) continue;
    const Rigid bone = rigid_of(model);
    const glm::vec3 at(world_from_model * glm::vec4(bone.at, 1.0f));
    p.moving[i].target = Rigid{at * p.world->settings.metres_per_unit, glm::normalize(world_rotation * bone.rotation)} *
                         p.moving[i].bone_from_body;
  }
}

bool Ragdoll::push(std::uint32_t bone, const glm::vec3& point, const glm::vec3& impulse) {
  State& p = *state_;
  const auto body = p.setup->body_of(bone);
  if (!running() || !body || !p.moving[*body].falls || !is_finite(point) || !is_finite(impulse)) return false;
  btRigidBody& hit = *p.moving[*body].body;
  // Far outside the body it would only spin it; and a float's largest impulse must not become infinite on the way.
  const glm::vec3 arm = point * p.world->settings.metres_per_unit - from_bullet(hit.getWorldTransform().getOrigin());
  const float reach = p.setup->size() * p.metres;
  const float most = 4.0f * p.world->settings.max_speed * p.setup->bodies()[*body].mass;
  const float strength = glm::length(glm::dvec3(impulse)) > static_cast<double>(most) ? most : glm::length(impulse);
  const float distance = std::min(glm::length(arm), reach);
  hit.activate(true);
  hit.applyImpulse(to_bullet(unit_or(impulse, glm::vec3(0.0f)) * strength),
                   to_bullet(unit_or(arm, glm::vec3(0.0f)) * distance));
  p.limit_speed(hit);
  // Sleepers wake as one.
  for (const MovingBody& each : p.moving) each.body->activate(true);
  p.still = p.calm = p.lying = 0.0;
  return true;
}

glm::mat4 Ragdoll::world_from_bone(std::uint32_t body) const {
  if (body >= state_->moving.size()) return glm::mat4(1.0f);
  const Rigid bone = state_->world_from_bone(body, state_->world->between_steps());
  glm::mat4 m = glm::mat4_cast(bone.rotation);
  m[3] = glm::vec4(bone.at / state_->world->settings.metres_per_unit, 1.0f);
  return m;
}

}  // namespace throng
