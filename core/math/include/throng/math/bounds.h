// SPDX-License-Identifier: Apache-2.0
#pragma once
// An axis-aligned box.

#include <glm/glm.hpp>
#include <limits>

namespace throng {

// Empty until a point is added.
struct Bounds {
  glm::dvec3 min{std::numeric_limits<double>::infinity()};
  glm::dvec3 max{-std::numeric_limits<double>::infinity()};

  // Grows to hold a point, or another box.
  void add(const glm::dvec3& point) {
    min = glm::min(min, point);
    max = glm::max(max, point);
  }
  void add(const Bounds& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  bool empty() const { return min.x > max.x; }                                         // whether it holds nothing yet
  glm::dvec3 size() const { return empty() ? glm::dvec3(0.0) : max - min; }            // its sides; 0 when empty
  glm::dvec3 centre() const { return empty() ? glm::dvec3(0.0) : 0.5 * (min + max); }  // its middle
  double diagonal() const { return glm::length(size()); }  // from corner to corner; 0 when empty
};

}  // namespace throng
