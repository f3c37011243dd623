// SPDX-License-Identifier: Apache-2.0
// Look-at and aim: every bone of a chain takes its share of the rotation that is missing.

#include <algorithm>
#include <array>
#include <numbers>

#include "ik/corrections.h"

namespace throng {

using namespace detail::animator;

namespace {

constexpr float kReached = 1e-3f;  // radians

// The chain as rigid parts: where each bone is and how far it and those before have rotated it since the pose.
struct Chain {
  std::size_t count = 0;
  std::array<glm::vec3, kMaxAimBones> at{};         // in the pose
  std::array<glm::quat, kMaxAimBones> rotations{};  // each bone's own, in the axes it has in the pose
  glm::vec3 axis{}, origin{}, up_axis{};            // model space, in the pose; origin from the last bone
};

struct Aim {
  glm::vec3 from{}, axis{};
};

// Everything below bone `first`, rotated by the product of the rotations up to it.
Aim aim_of(const Chain& chain) {
  glm::quat total = kNoRotation;
  glm::vec3 at = chain.at[0];
  for (std::size_t i = 0; i < chain.count; ++i) {
    if (i > 0) at += total * (chain.at[i] - chain.at[i - 1]);
    total = total * chain.rotations[i];
  }
  return {at + total * chain.origin, glm::normalize(total * chain.axis)};
}

glm::quat rotation_before(const Chain& chain, std::size_t bone) {
  glm::quat total = kNoRotation;
  for (std::size_t i = 0; i < bone; ++i) total = total * chain.rotations[i];
  return glm::normalize(total);
}

// Adds to bone i the share of a rotation in model space that its limit leaves it.
void add_rotation(Chain& chain, std::size_t i, const AimBone& bone, const glm::quat& missing) {
  const glm::quat before = rotation_before(chain, i);
  const glm::quat more = glm::conjugate(before) * fraction_of(missing, std::clamp(bone.weight, 0.0f, 1.0f)) * before;
  chain.rotations[i] = limited(glm::normalize(more * chain.rotations[i]), bone.limit);
}

struct Goal {
  glm::vec3 direction{};
  float weight = 1.0f;
};

// Where the axis is to point, from where it starts now, within the total limit of the pose's axis.
Goal goal_of(const AimIk& ik, const glm::vec3& from, const glm::vec3& pose_axis) {
  const glm::vec3 to_target = unit_or(ik.target - from, pose_axis);
  const float behind = std::numbers::pi_v<float> - angle_between(pose_axis, to_target);
  Goal goal;
  if (ik.behind_fade > 0.0f) goal.weight = smooth_step(0.0f, ik.behind_fade, behind);
  goal.direction = within_cone(to_target, pose_axis, ik.total_limit);
  return goal;
}

float solve_direction(Chain& chain, const AimIk& ik) {
  float weight = 1.0f;
  for (std::uint32_t pass = 0; pass < std::clamp(ik.iterations, 1u, 64u); ++pass) {
    for (std::size_t i = 0; i < chain.count; ++i) {
      const Aim aim = aim_of(chain);
      const Goal goal = goal_of(ik, aim.from, chain.axis);
      weight = goal.weight;
      add_rotation(chain, i, ik.bones[i], shortest_arc(aim.axis, goal.direction));
    }
  }
  return weight;
}

// Rolls the last bone about the axis. Where the axis goes along `up`, there is no roll to find: it fades out.
void solve_roll(Chain& chain, const AimIk& ik) {
  const std::size_t last = chain.count - 1;
  const glm::quat total = rotation_before(chain, chain.count);
  const glm::vec3 axis = glm::normalize(total * chain.axis);
  const glm::vec3 wanted = perpendicular_part(unit_or(*ik.up, axis), axis);
  const glm::vec3 now = perpendicular_part(total * chain.up_axis, axis);
  const float sine = std::min(glm::length(wanted), glm::length(now));
  const glm::quat roll = shortest_arc(unit_or(now, perpendicular(axis)), unit_or(wanted, perpendicular(axis)), axis);
  AimBone bone = ik.bones[last];
  bone.weight *= smooth_step(0.0f, 0.2f, sine);
  add_rotation(chain, last, bone, roll);
}

Chain chain_of(const PoseEdit& pose, const AimIk& ik) {
  Chain chain;
  chain.count = ik.bones.size();
  for (std::size_t i = 0; i < chain.count; ++i) {
    chain.at[i] = position_of(pose.models[ik.bones[i].bone]);
    chain.rotations[i] = kNoRotation;
  }
  const Affine& last = pose.models[ik.bones.back().bone];
  chain.axis = unit_or(direction_of(last, ik.axis), glm::vec3(0.0f));
  chain.origin = direction_of(last, ik.origin);
  chain.up_axis = unit_or(direction_of(last, ik.up_axis), chain.axis);
  return chain;
}

IkFault fault_of(const PoseEdit& pose, const AimIk& ik) {
  if (!pose.fits()) return IkFault::spans;
  if (ik.bones.empty() || ik.bones.size() > kMaxAimBones) return IkFault::chain;
  std::array<std::uint32_t, kMaxAimBones> bones{};
  std::transform(ik.bones.begin(), ik.bones.end(), bones.begin(), [](const AimBone& b) { return b.bone; });
  if (!is_chain(pose.rig, {bones.data(), ik.bones.size()})) return IkFault::chain;
  bool finite = is_finite(ik.target) && is_finite(ik.axis) && is_finite(ik.origin) && is_finite(ik.up_axis) &&
                is_finite(ik.weight) && is_finite(ik.total_limit) && is_finite(ik.behind_fade);
  finite = finite && (!ik.up || is_finite(*ik.up));
  for (const AimBone& b : ik.bones) {
    finite = finite && is_finite(b.weight) && is_finite(b.limit) && is_finite(position_of(pose.models[b.bone]));
  }
  // A bone's position may be finite and its rotation not.
  const Affine& last = pose.models[ik.bones.back().bone];
  finite = finite && is_finite(direction_of(last, ik.axis)) && is_finite(direction_of(last, ik.origin)) &&
           is_finite(direction_of(last, ik.up_axis));
  return finite ? IkFault::none : IkFault::not_finite;
}

}  // namespace

IkReport solve_aim(const PoseEdit& pose, const AimIk& ik) {
  if (const IkFault fault = fault_of(pose, ik); fault != IkFault::none) return refused(fault);
  Chain chain = chain_of(pose, ik);
  if (glm::length(chain.axis) < 0.5f) return refused(IkFault::no_length);
  const float fade = solve_direction(chain, ik);
  if (ik.up) solve_roll(chain, ik);

  IkReport report{.weight = std::clamp(ik.weight, 0.0f, 1.0f), .iterations = std::clamp(ik.iterations, 1u, 64u)};
  const Aim solved = aim_of(chain);
  const float missed = angle_between(solved.axis, unit_or(ik.target - solved.from, solved.axis));
  report.reached = fade >= 1.0f && missed <= kReached;
  std::array<Correction, kMaxAimBones> corrections{};
  for (std::size_t i = 0; i < chain.count; ++i) corrections[i] = {ik.bones[i].bone, chain.rotations[i]};
  apply_corrections(pose, {corrections.data(), chain.count}, report.weight * fade);

  const Affine& last = pose.models[ik.bones.back().bone];
  const glm::vec3 axis = unit_or(direction_of(last, ik.axis), chain.axis);
  report.missed = angle_between(axis, unit_or(ik.target - transform_point(last, ik.origin), axis));
  return report;
}

}  // namespace throng
