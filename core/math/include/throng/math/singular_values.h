// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much a matrix stretches space along the directions in which it stretches it most and least.

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

namespace throng {

// Largest first.
inline glm::dvec3 singular_values(const glm::dmat3& m) {
  // Square roots of the eigenvalues of the symmetric mᵀm, by the trigonometric formula.
  constexpr double kThirdOfCircle = 2.0943951023931954923;
  const glm::dmat3 s = glm::transpose(m) * m;
  const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3.0;
  glm::dmat3 b = s;
  for (int i = 0; i < 3; ++i) b[i][i] -= mean;
  const double spread = std::sqrt((glm::dot(b[0], b[0]) + glm::dot(b[1], b[1]) + glm::dot(b[2], b[2])) / 6.0);
  if (!(spread > 0.0)) return glm::dvec3(std::sqrt(std::max(mean, 0.0)));
  const double half = std::clamp(glm::determinant(b / spread) / 2.0, -1.0, 1.0);
  const double angle = std::acos(half) / 3.0;
  const double largest = mean + 2.0 * spread * std::cos(angle);
  const double smallest = mean + 2.0 * spread * std::cos(angle + kThirdOfCircle);
  const double middle = 3.0 * mean - largest - smallest;
  return {std::sqrt(std::max(largest, 0.0)), std::sqrt(std::max(middle, 0.0)), std::sqrt(std::max(smallest, 0.0))};
}

// Whether the matrix can be inverted without losing what it maps: the least stretch is above a millionth of the most.
inline bool well_conditioned(const glm::dmat3& m) {
  constexpr double kSmallestCondition = 1e-6;
  const glm::dvec3 s = singular_values(m);
  return std::isfinite(s.x) && s.x > 0.0 && s.z > kSmallestCondition * s.x;
}

}  // namespace throng
