// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether two poses of a bone are the same but for what the floats of a source lose.

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

namespace throng::detail::bake {

inline constexpr double kNearlyEqual =
    1e-6;  // of their own size: what products of floats are apart; 0.002 mm of a character

inline bool nearly_equal(const glm::dmat4& a, const glm::dmat4& b) {
  double apart = 0.0;
  double size = 0.0;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      apart = std::max(apart, std::abs(a[c][r] - b[c][r]));
      size = std::max(size, std::abs(a[c][r]));
    }
  }
  if (apart > kNearlyEqual * size) return false;
  const glm::dvec3 shift = glm::abs(glm::dvec3(a[3]) - glm::dvec3(b[3]));
  const double distance = std::max({std::abs(a[3].x), std::abs(a[3].y), std::abs(a[3].z), size});
  return std::max({shift.x, shift.y, shift.z}) <= kNearlyEqual * distance;
}

}  // namespace throng::detail::bake
