// SPDX-License-Identifier: Apache-2.0
#pragma once
// An axis-aligned box in single precision, as bounds are kept that are found anew for every image.

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <limits>

namespace throng {

// Empty until a point is added.
struct FloatBox {
  glm::vec3 min{std::numeric_limits<float>::infinity()};
  glm::vec3 max{-std::numeric_limits<float>::infinity()};

  // Grows to hold a point, or another box.
  void add(const glm::vec3& point) {
    min = glm::min(min, point);
    max = glm::max(max, point);
  }
  void add(const FloatBox& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  // Holds the point itself, not what is left of it in single precision: the next floats outwards.
  void add_outwards(const glm::dvec3& point) {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    for (glm::length_t i = 0; i < 3; ++i) {
      const auto near = static_cast<float>(point[i]);
      min[i] = std::min(min[i], std::nextafter(near, -kFar));
      max[i] = std::max(max[i], std::nextafter(near, kFar));
    }
  }
  bool empty() const { return min.x > max.x; }  // whether it holds nothing yet
};

}  // namespace throng
