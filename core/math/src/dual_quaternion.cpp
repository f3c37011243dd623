// SPDX-License-Identifier: Apache-2.0
#include "throng/math/dual_quaternion.h"

#include <algorithm>
#include <cmath>

#include "throng/math/directions.h"

namespace throng {
namespace {

// A column with less than this part of it across the first is taken as lying along it.
constexpr double kAlong = 1e-6;

// Not perpendicular(): shaders choose this one too, and choose alike with their rounding, since no two components are
// compared with each other.
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
  const glm::dvec3 other = unit_or(m[1], unit_or(m[2], {0, 1, 0}, kShortestColumn), kShortestColumn);
  const glm::dvec3 x =
      unit_or(side * m[0], unit_or(glm::cross(m[1], m[2]), any_across(other), kShortestColumn), kShortestColumn);
  const auto shortest = [](double length) { return std::max(kShortestColumn, kAlong * length); };
  const glm::dvec3 across = unit_or(glm::cross(m[2], x), any_across(x), shortest(out.scale.z));
  const glm::dvec3 y = unit_or(perpendicular_part(m[1], x), across, shortest(out.scale.y));
  out.real = glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y))));
  out.dual = (glm::dquat(0.0, glm::dvec3(matrix[3])) * out.real) * 0.5;
  return out;
}

}  // namespace throng
