// SPDX-License-Identifier: Apache-2.0
#pragma once
// An axis-aligned box in single precision, as bounds are kept that are found anew for every image.

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
  bool empty() const { return min.x > max.x; }  // whether it holds nothing yet
};

}  // namespace throng
