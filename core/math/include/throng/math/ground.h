// SPDX-License-Identifier: Apache-2.0
#pragma once
// Root motion: rigid motions of the ground, which compose like matrices. In double, so that a path of a million cycles
// ends where it should.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "throng/math/rotations.h"
#include "throng/math/transform.h"

namespace throng {

// First a rotation about +Y, then a translation: a point p goes to rotated(p, yaw) + translation. Motions over level
// ground have a translation.y of 0; where there is a height, it adds up.
struct GroundMotion {
  glm::dvec3 translation{0.0};
  double yaw = 0.0;  // radians; may be more than a circle

  friend bool operator==(const GroundMotion&, const GroundMotion&) = default;
};

// About +Y, right-handed: a quarter takes +Z to +X.
inline glm::dvec3 rotated(const glm::dvec3& v, double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}
// Its rotation about +Y.
inline glm::dquat rotation_of(const GroundMotion& motion) {
  return {std::cos(0.5 * motion.yaw), 0.0, std::sin(0.5 * motion.yaw), 0.0};
}
// The point where the motion takes it.
inline glm::dvec3 transform_point(const GroundMotion& motion, const glm::dvec3& point) {
  return motion.translation + rotated(point, motion.yaw);
}
// The motion as a matrix.
inline glm::dmat4 to_matrix(const GroundMotion& motion) {
  return to_matrix(Transform{motion.translation, rotation_of(motion), glm::dvec3(1.0)});
}

// First `first`, then `second` as seen from where that leads: to_matrix(first) · to_matrix(second).
inline GroundMotion compose(const GroundMotion& first, const GroundMotion& second) {
  return {first.translation + rotated(second.translation, first.yaw), first.yaw + second.yaw};
}
// The motion that undoes it.
inline GroundMotion inverse(const GroundMotion& motion) {
  return {-rotated(motion.translation, -motion.yaw), -motion.yaw};
}
// What leads from one place to another: compose(from, between(from, to)) is `to`.
inline GroundMotion between(const GroundMotion& from, const GroundMotion& to) {
  return {rotated(to.translation - from.translation, -from.yaw), to.yaw - from.yaw};
}
// Straight from one to the other.
inline GroundMotion interpolate(const GroundMotion& from, const GroundMotion& to, double blend) {
  return {glm::mix(from.translation, to.translation, blend), from.yaw + blend * (to.yaw - from.yaw)};
}

// Where a path of samples at even steps is at a part of its length, clamped to 0 … 1. A path of fewer than two samples
// goes nowhere.
inline GroundMotion place_along(std::span<const GroundMotion> path, double part) {
  if (path.size() < 2) return path.empty() ? GroundMotion{} : path.front();
  const auto last = static_cast<double>(path.size() - 1);
  const double at = std::clamp(part, 0.0, 1.0) * last;
  const double from = std::min(std::floor(at), last - 1.0);
  const auto first = static_cast<std::size_t>(from);
  return interpolate(path[first], path[first + 1], at - from);
}

// One cycle's motion, done so many times; below 0, backwards. By doubling, so that a million cycles take twenty steps.
// The yaw of the result is the whole of it, many circles perhaps.
inline GroundMotion repeat(const GroundMotion& cycle, std::int64_t times) {
  GroundMotion doubled = times < 0 ? inverse(cycle) : cycle;
  GroundMotion result;
  auto left = static_cast<std::uint64_t>(times);
  if (times < 0) left = 0 - left;
  for (; left != 0; left >>= 1) {
    if ((left & 1) != 0) result = compose(result, doubled);
    doubled = compose(doubled, doubled);
    // Cosines of huge angles are noise.
    doubled.yaw = nearest_angle(doubled.yaw, 0.0);
  }
  result.yaw = cycle.yaw * static_cast<double>(times);
  return result;
}

}  // namespace throng
