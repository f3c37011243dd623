// SPDX-License-Identifier: Apache-2.0
#include "throng/math/dual_quaternion.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// Shorter than this nothing has a direction. Its square is still a float, so shaders can ask the same.
constexpr double kNoLength = 1e-15;
// A column with less than this part of it across the first is taken as lying along it.
constexpr double kAlong = 1e-6;

glm::dvec3 unit_or(const glm::dvec3& v, double no_length, const glm::dvec3& otherwise) {
  const double length = glm::length(v);
  return length > no_length ? v / length : otherwise;
}

glm::dvec3 any_across(const glm::dvec3& unit) {
  const glm::dvec3 axis = std::abs(unit.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
  return glm::normalize(glm::cross(unit, axis));
}

}  // namespace

DualQuaternion to_dual_quaternion(const glm::dmat4& matrix) {
  const glm::dmat3 m(matrix);
  const double side = glm::determinant(m) < 0.0 ? -1.0 : 1.0;
  DualQuaternion out;
  out.scale = {side * glm::length(m[0]), glm::length(m[1]), glm::length(m[2])};
  const glm::dvec3 other = unit_or(m[1], kNoLength, unit_or(m[2], kNoLength, {0, 1, 0}));
  const glm::dvec3 x = unit_or(side * m[0], kNoLength, unit_or(glm::cross(m[1], m[2]), kNoLength, any_across(other)));
  const glm::dvec3 y = unit_or(m[1] - x * glm::dot(x, m[1]), std::max(kNoLength, kAlong * out.scale.y),
                               unit_or(glm::cross(m[2], x), std::max(kNoLength, kAlong * out.scale.z), any_across(x)));
  out.real = glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y))));
  out.dual = (glm::dquat(0.0, glm::dvec3(matrix[3])) * out.real) * 0.5;
  return out;
}

}  // namespace throng
