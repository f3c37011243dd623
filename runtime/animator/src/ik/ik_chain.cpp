// SPDX-License-Identifier: Apache-2.0
// FABRIK: points of the chain are pulled to the target from the tip, then back to the root, until both fit.

#include <algorithm>
#include <array>

#include "ik/corrections.h"

namespace throng {

using namespace detail::animator;

namespace {

// Share of the chain's length: how far points of a straight chain are pushed aside when the target lies along it, where
// pulling along the line would never bend it.
constexpr float kNudge = 0.02f;
constexpr float kCollinear = 1e-3f;  // of the chain's length

struct Points {
  std::size_t count = 0;
  std::array<glm::vec3, kMaxChainBones> pose{};
  std::array<glm::vec3, kMaxChainBones> at{};
  std::array<float, kMaxChainBones> lengths{};         // of segment i: from point i to i + 1
  std::array<glm::vec3, kMaxChainBones> directions{};  // of the segments, in the pose; zero: no length
  float length = 0.0f;
};

Points points_of(const PoseEdit& pose, const ChainIk& ik) {
  Points p;
  p.count = ik.bones.size();
  for (std::size_t i = 0; i < p.count; ++i) p.pose[i] = position_of(pose.models[ik.bones[i]]);
  p.at = p.pose;
  for (std::size_t i = 0; i + 1 < p.count; ++i) {
    p.lengths[i] = glm::distance(p.pose[i], p.pose[i + 1]);
    p.directions[i] = unit_or(p.pose[i + 1] - p.pose[i], glm::vec3(0.0f));
    p.length += p.lengths[i];
  }
  return p;
}

bool has_direction(const Points& p, std::size_t i) { return p.directions[i] != glm::vec3(0.0f); }

// The chain, and the target within its reach, lie on one line.
bool is_collinear(const Points& p, const glm::vec3& target) {
  const glm::vec3 line = unit_or(target - p.at[0], p.directions[0]);
  return std::all_of(p.at.begin(), p.at.begin() + static_cast<std::ptrdiff_t>(p.count), [&](const glm::vec3& at) {
    return glm::length(perpendicular_part(at - p.at[0], line)) < kCollinear * p.length;
  });
}

void nudge(Points& p, const glm::quat& root_rotation, const glm::vec3& target) {
  const glm::vec3 line = unit_or(target - p.at[0], unit_or(p.directions[0], {0.0f, 1.0f, 0.0f}));
  // The same in the root bone's frame, so that the side it bends to rotates with the character.
  const glm::vec3 aside = root_rotation * perpendicular(glm::conjugate(root_rotation) * line);
  for (std::size_t i = 1; i + 1 < p.count; ++i) p.at[i] += kNudge * p.length * aside;
}

void reach_back(Points& p, const glm::vec3& target) {
  p.at[p.count - 1] = target;
  for (std::size_t i = p.count - 1; i-- > 0;) {
    const glm::vec3 way = unit_or(p.at[i] - p.at[i + 1], unit_or(-p.directions[i], {0.0f, 1.0f, 0.0f}));
    p.at[i] = p.at[i + 1] + p.lengths[i] * way;
  }
}

// Goes from the root on; each segment is held in the cone its limit leaves it about where the one before has carried
// it.
void reach_forth(Points& p, std::span<const float> limits) {
  p.at[0] = p.pose[0];
  glm::quat total = kNoRotation;
  for (std::size_t i = 0; i + 1 < p.count; ++i) {
    glm::vec3 way = unit_or(p.at[i + 1] - p.at[i], total * p.directions[i]);
    if (!limits.empty() && has_direction(p, i)) {
      const glm::vec3 carried = glm::normalize(total * p.directions[i]);
      way = within_cone(way, carried, limits[i]);
      total = glm::normalize(shortest_arc(carried, way) * total);
    }
    p.at[i + 1] = p.at[i] + p.lengths[i] * way;
  }
}

void straighten(Points& p, const ChainIk& ik) {
  const glm::vec3 way = unit_or(ik.target - p.pose[0], unit_or(p.directions[0], {0.0f, 1.0f, 0.0f}));
  for (std::size_t i = 0; i + 1 < p.count; ++i) p.at[i + 1] = p.at[i] + p.lengths[i] * way;
  if (!ik.limits.empty()) reach_forth(p, ik.limits);
}

float missed(const Points& p, const glm::vec3& target) { return glm::distance(p.at[p.count - 1], target); }

std::uint32_t solve(Points& p, const ChainIk& ik, const glm::quat& root_rotation) {
  const float tolerance = std::max(ik.tolerance, 1e-6f) * p.length;
  if (glm::distance(ik.target, p.pose[0]) >= p.length) {
    straighten(p, ik);
    return 1;
  }
  if (missed(p, ik.target) <= tolerance) return 0;
  if (is_collinear(p, ik.target)) nudge(p, root_rotation, ik.target);
  // With limits it may go in circles: the best of all rounds is kept.
  Points best = p;
  float least = std::numeric_limits<float>::infinity();
  std::uint32_t round = 0;
  const std::uint32_t most = std::clamp(ik.iterations, 1u, 1024u);
  while (round < most && least > tolerance) {
    reach_back(p, ik.target);
    reach_forth(p, ik.limits);
    ++round;
    if (const float left = missed(p, ik.target); left < least) {
      least = left;
      best = p;
    }
  }
  p = best;
  return round;
}

// The rotation of every bone that takes the pose's segments to the solved ones.
std::size_t corrections_of(const Points& p, const ChainIk& ik, std::span<Correction> corrections) {
  glm::quat total = kNoRotation;
  for (std::size_t i = 0; i + 1 < p.count; ++i) {
    corrections[i].bone = ik.bones[i];
    if (!has_direction(p, i)) continue;
    const glm::vec3 carried = glm::normalize(total * p.directions[i]);
    const glm::vec3 way = unit_or(p.at[i + 1] - p.at[i], carried);
    const glm::quat next = glm::normalize(shortest_arc(carried, way) * total);
    corrections[i].by = glm::normalize(glm::conjugate(total) * next);
    total = next;
  }
  return p.count - 1;
}

IkFault fault_of(const PoseEdit& pose, const ChainIk& ik) {
  if (!pose.fits()) return IkFault::spans;
  if (ik.bones.size() < 2 || ik.bones.size() > kMaxChainBones || !is_chain(pose.rig, ik.bones)) return IkFault::chain;
  if (!ik.limits.empty() && ik.limits.size() + 1 < ik.bones.size()) return IkFault::chain;
  bool finite = is_finite(ik.target) && is_finite(ik.weight) && is_finite(ik.tolerance);
  finite = finite && (!ik.rotation || is_finite(*ik.rotation));
  for (const float limit : ik.limits) finite = finite && is_finite(limit);
  for (const std::uint32_t bone : ik.bones) finite = finite && is_finite(position_of(pose.models[bone]));
  if (!finite) return IkFault::not_finite;
  return ik.rotation && glm::dot(*ik.rotation, *ik.rotation) < 1e-6f ? IkFault::no_length : IkFault::none;
}

}  // namespace

IkReport solve_chain(const PoseEdit& pose, const ChainIk& ik) {
  if (const IkFault fault = fault_of(pose, ik); fault != IkFault::none) return refused(fault);
  Points points = points_of(pose, ik);
  if (!(points.length > 0.0f)) return refused(IkFault::no_length);
  IkReport report{.weight = std::clamp(ik.weight, 0.0f, 1.0f)};
  report.iterations = solve(points, ik, carrying_rotation(pose.models[ik.bones[0]]));
  report.reached = missed(points, ik.target) <= std::max(ik.tolerance, 1e-6f) * points.length;
  std::array<Correction, kMaxChainBones> corrections{};
  const std::size_t count = corrections_of(points, ik, corrections);
  // Nothing to do leaves every bit, as a weight of 0 does.
  if (report.iterations > 0) apply_corrections(pose, {corrections.data(), count}, report.weight);
  if (ik.rotation) report.missed_angle = rotate_to(pose, ik.bones.back(), *ik.rotation, report.weight);
  report.missed = glm::distance(position_of(pose.models[ik.bones.back()]), ik.target);
  return report;
}

}  // namespace throng
