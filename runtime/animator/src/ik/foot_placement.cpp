// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/foot_placement.h"

#include <algorithm>
#include <cmath>

#include "ik/corrections.h"

namespace throng {

using namespace detail::animator;

namespace {

// A smoothed value this near to its target, of the settings' reach, has arrived: so that a flat floor comes to change
// nothing at all again.
constexpr float kArrived = 1e-5f;
// Share of a leg's length: a foot lifted this far has let go of the slope.
constexpr float kLifted = 0.25f;
// Share of a leg's length: a foot lifted less is down.
constexpr float kDown = 0.04f;
// A locked foot is let go at this many times the lock's speed or height: not to flutter at its edge.
constexpr float kLetGo = 2.0f;

struct Step {
  const PoseEdit& pose;
  const FootPlacement& settings;
  const GroundQuery& ground;
  glm::mat4 world_from_model;
  glm::mat4 model_from_world;
  float scale;  // world units of a model unit
  float dt;
};

// What is wanted of one leg, before anything moves.
struct LegGoal {
  glm::vec3 animated{};  // world space
  glm::quat rotation = kNoRotation;
  float length = 0.0f;  // model units
  float reach = 0.0f;   // of the length: how stretched the animation has it
  float ankle = 0.0f;   // world units from the sole to the foot bone
  float lift = 0.0f;    // world units the animation has the foot off the floor
  float offset = 0.0f;  // of the ground
  glm::vec3 normal{0.0f, 1.0f, 0.0f};
  bool hit = false;
};

glm::vec3 to_world(const Step& step, const glm::vec3& p) { return {step.world_from_model * glm::vec4(p, 1.0f)}; }
glm::vec3 to_model(const Step& step, const glm::vec3& p) { return {step.model_from_world * glm::vec4(p, 1.0f)}; }

// The animation's own floor below a point.
float floor_below(const Step& step, const glm::vec3& world) {
  glm::vec3 p = to_model(step, world);
  p.y = 0.0f;
  return to_world(step, p).y;
}

std::optional<GroundHit> cast(const Step& step, const glm::vec3& world) {
  const glm::vec3 from = world + glm::vec3(0.0f, step.settings.ray_above, 0.0f);
  const auto hit = step.ground ? step.ground(from, step.settings.ray_above + step.settings.ray_below) : std::nullopt;
  if (!hit || !is_finite(hit->height) || !is_finite(hit->normal)) return std::nullopt;
  const glm::vec3 normal = unit_or(hit->normal, {0.0f, 1.0f, 0.0f});
  // A wall is no ground to stand on.
  if (normal.y < 0.1f) return GroundHit{hit->height, {0.0f, 1.0f, 0.0f}};
  return GroundHit{hit->height, normal};
}

// How much the ground at the toe stands out of the plane found at the foot.
float toe_step(const Step& step, const Leg& leg, const LegGoal& goal, const GroundHit& at_foot) {
  if (!leg.toe) return 0.0f;
  const glm::vec3 toe = to_world(step, position_of(step.pose.models[*leg.toe]));
  const auto hit = cast(step, toe);
  if (!hit) return 0.0f;
  const glm::vec3 d = toe - goal.animated;
  const float plane = at_foot.height - (goal.normal.x * d.x + goal.normal.z * d.z) / goal.normal.y;
  return std::max(hit->height - plane, 0.0f);
}

glm::vec3 tilted_at_most(const glm::vec3& normal, float most) { return within_cone(normal, {0.0f, 1.0f, 0.0f}, most); }

LegGoal goal_of(const Step& step, const Leg& leg) {
  const auto& models = step.pose.models;
  LegGoal goal;
  const glm::vec3 hip = position_of(models[leg.hip]), knee = position_of(models[leg.knee]),
                  foot = position_of(models[leg.foot]);
  goal.length = glm::distance(hip, knee) + glm::distance(knee, foot);
  goal.reach = goal.length > 0.0f ? glm::distance(hip, foot) / goal.length : 0.0f;
  goal.animated = to_world(step, foot);
  goal.rotation = carrying_rotation(models[leg.foot]);
  const float floor = floor_below(step, goal.animated);
  const float height = goal.animated.y - floor;
  goal.ankle = std::max(position_of(step.pose.rig.rest_models()[leg.foot]).y, 0.0f) * step.scale;
  goal.lift = std::max(height - goal.ankle, 0.0f);
  const auto hit = cast(step, goal.animated);
  if (!hit) return goal;
  goal.hit = true;
  const float holds = 1.0f - smooth_step(0.0f, kLifted * goal.length * step.scale, goal.lift);
  goal.normal = tilted_at_most(hit->normal, step.settings.max_tilt * holds);
  // The ankle is as far from a slope, square to it, as from the floor.
  const float ankle = std::min(goal.ankle, std::max(height, 0.0f));
  const float raise = ankle * (1.0f / goal.normal.y - 1.0f) + toe_step(step, leg, goal, *hit);
  goal.offset = std::clamp(hit->height - floor + raise, -step.settings.max_drop, step.settings.max_rise);
  return goal;
}

void approach(SmoothedValue& value, float target, const Step& step, bool started) {
  if (!started) {
    value = {target, 0.0f};
    return;
  }
  value.approach(target, step.settings.smoothing, step.dt);
  const float near = kArrived * (step.settings.max_rise + step.settings.max_drop);
  if (std::abs(value.value - target) < near && std::abs(value.speed) * step.settings.smoothing < near)
    value = {target, 0.0f};
}

bool stands_still(const Step& step, const LegGoal& goal, const FootPlacementState::LegState& leg, float times) {
  const glm::vec3 moved = goal.animated - leg.animated;
  const float way = std::sqrt(moved.x * moved.x + moved.z * moved.z);
  return goal.lift <= times * kDown * goal.length * step.scale && way <= times * step.settings.lock_speed * step.dt;
}

// Where the foot stands relative to the animation, as x and z in the world.
void lock_foot(const Step& step, const LegGoal& goal, FootPlacementState::LegState& leg, bool started) {
  const bool asked = step.settings.lock && started && goal.hit && step.dt > 0.0f;
  const glm::vec2 drift(leg.anchor.x - goal.animated.x, leg.anchor.z - goal.animated.z);
  if (leg.locked) {
    leg.locked = asked && goal.lift <= kLetGo * kDown * goal.length * step.scale &&
                 glm::length(drift) <= step.settings.lock_radius;
  } else if (asked && stands_still(step, goal, leg, 1.0f)) {
    leg.locked = true;
    leg.anchor = goal.animated + glm::vec3(leg.drift_x.value, 0.0f, leg.drift_z.value);
  }
  leg.animated = goal.animated;
  if (leg.locked) {
    leg.drift_x = {leg.anchor.x - goal.animated.x, 0.0f};
    leg.drift_z = {leg.anchor.z - goal.animated.z, 0.0f};
  } else {
    approach(leg.drift_x, 0.0f, step, started);
    approach(leg.drift_z, 0.0f, step, started);
  }
}

void advance_leg(const Step& step, const LegGoal& goal, FootPlacementState::LegState& leg, bool started) {
  approach(leg.offset, goal.offset, step, started);
  approach(leg.tilt_x, goal.normal.x, step, started);
  approach(leg.tilt_z, goal.normal.z, step, started);
  lock_foot(step, goal, leg, started);
}

bool does_nothing(const FootPlacementState::LegState& leg, float pelvis) {
  return leg.offset.value == 0.0f && leg.tilt_x.value == 0.0f && leg.tilt_z.value == 0.0f &&
         leg.drift_x.value == 0.0f && leg.drift_z.value == 0.0f && pelvis == 0.0f;
}

// Moves the pelvis, and all that hangs on it, up by world units.
void move_pelvis(const Step& step, float up) {
  const std::uint32_t bone = step.settings.pelvis;
  const auto parent = step.pose.rig.parent(bone);
  const glm::mat4 model_from_parent = to_matrix(parent ? step.pose.models[*parent] : step.pose.model_from_root);
  const glm::vec3 in_model(step.model_from_world * glm::vec4(0.0f, up, 0.0f, 0.0f));
  const glm::vec3 in_parent = glm::inverse(glm::mat3(model_from_parent)) * in_model;
  if (!is_finite(in_parent)) return;
  BoneTransform local = local_of(step.pose.locals, bone);
  local.translation += in_parent;
  set_local(step.pose.locals, bone, local);
  update_models(step.pose, bone);
}

glm::quat tilt_of(const FootPlacementState::LegState& leg, const Step& step) {
  const float x = leg.tilt_x.value, z = leg.tilt_z.value;
  const glm::vec3 normal(x, std::sqrt(std::max(1.0f - x * x - z * z, 0.0f)), z);
  const glm::vec3 in_model(step.model_from_world * glm::vec4(unit_or(normal, {0.0f, 1.0f, 0.0f}), 0.0f));
  return shortest_arc({0.0f, 1.0f, 0.0f}, unit_or(in_model, {0.0f, 1.0f, 0.0f}));
}

float reach_ground(const Step& step, const Leg& leg, const LegGoal& goal, const FootPlacementState::LegState& at) {
  const glm::vec3 world = goal.animated + glm::vec3(at.drift_x.value, at.offset.value, at.drift_z.value);
  // The approach to full extension starts no earlier than the animation itself has the leg, or it would bend on a flat
  // floor.
  const float softness = std::clamp(std::min(step.settings.softness, 1.0f - goal.reach), 0.0f, 0.5f);
  const IkReport report =
      solve_two_bone(step.pose, {.upper = leg.hip,
                                 .lower = leg.knee,
                                 .end = leg.foot,
                                 .target = to_model(step, world),
                                 .rotation = tilt_of(at, step) * goal.rotation,
                                 .softness = softness,
                                 .weight = leg.weight * std::clamp(step.settings.weight, 0.0f, 1.0f)});
  return report.missed;
}

IkFault fault_of(const PoseEdit& pose, const FootPlacement& s, const glm::mat4& world_from_model) {
  if (!pose.fits()) return IkFault::spans;
  const std::size_t bones = pose.rig.bone_count();
  if (s.legs.size() > kMaxLegs || s.pelvis >= bones) return IkFault::chain;
  bool finite = is_finite(s.weight) && is_finite(s.smoothing) && is_finite(s.softness) && is_finite(s.max_tilt) &&
                is_finite(s.max_rise) && is_finite(s.max_drop) && is_finite(s.ray_above) && is_finite(s.ray_below) &&
                is_finite(s.lock_speed) && is_finite(s.lock_radius);
  for (const Leg& leg : s.legs) {
    const std::array chain{s.pelvis, leg.hip, leg.knee, leg.foot};
    const bool from_pelvis = leg.hip == s.pelvis;
    if (!is_chain(pose.rig, std::span(chain).subspan(from_pelvis ? 1 : 0))) return IkFault::chain;
    if (leg.toe && *leg.toe >= bones) return IkFault::chain;
    finite = finite && is_finite(leg.weight) && is_finite(position_of(pose.models[leg.foot]));
  }
  for (int column = 0; column < 4; ++column) finite = finite && is_finite(glm::vec3(world_from_model[column]));
  if (!finite) return IkFault::not_finite;
  const float volume = glm::determinant(glm::mat3(world_from_model));
  return std::abs(volume) > 1e-30f ? IkFault::none : IkFault::no_length;
}

}  // namespace

void SmoothedValue::approach(float target, float smoothing, float dt) {
  if (!(smoothing > 0.0f)) {
    *this = {target, 0.0f};
    return;
  }
  const float omega = 2.0f / smoothing;
  const float off = value - target;
  const float rise = speed + omega * off;
  const float decay = std::exp(-omega * dt);
  value = target + (off + rise * dt) * decay;
  speed = (speed - omega * rise * dt) * decay;
}

FootPlacementReport place_feet(const PoseEdit& pose, const FootPlacement& settings, const glm::mat4& world_from_model,
                               const GroundQuery& ground, float dt, FootPlacementState& state) {
  FootPlacementReport report;
  report.fault = fault_of(pose, settings, world_from_model);
  if (report.fault != IkFault::none || settings.weight <= 0.0f) return report;
  const float volume = std::abs(glm::determinant(glm::mat3(world_from_model)));
  const Step step{.pose = pose,
                  .settings = settings,
                  .ground = ground,
                  .world_from_model = world_from_model,
                  .model_from_world = glm::inverse(world_from_model),
                  .scale = std::cbrt(volume),
                  .dt = dt > 0.0f && is_finite(dt) ? dt : 0.0f};
  std::array<LegGoal, kMaxLegs> goals{};
  // No leg says otherwise: the pelvis stays where the animation has it.
  float lowest = settings.legs.empty() ? 0.0f : settings.max_rise;
  for (std::size_t i = 0; i < settings.legs.size(); ++i) {
    goals[i] = goal_of(step, settings.legs[i]);
    advance_leg(step, goals[i], state.legs[i], state.started);
    lowest = std::min(lowest, goals[i].offset * std::clamp(settings.legs[i].weight, 0.0f, 1.0f));
  }
  approach(state.pelvis, lowest, step, state.started);
  state.started = true;

  report.pelvis = state.pelvis.value * std::clamp(settings.weight, 0.0f, 1.0f);
  if (report.pelvis != 0.0f) move_pelvis(step, report.pelvis);
  for (std::size_t i = 0; i < settings.legs.size(); ++i) {
    const auto& leg = state.legs[i];
    report.feet[i] = {goals[i].hit, leg.locked, leg.offset.value, 0.0f};
    if (!does_nothing(leg, report.pelvis)) report.feet[i].missed = reach_ground(step, settings.legs[i], goals[i], leg);
  }
  return report;
}

}  // namespace throng
