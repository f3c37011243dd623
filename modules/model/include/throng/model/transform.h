#pragma once
// Translation, rotation, scale, applied to a point in the order scale, rotation, translation.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace throng {

struct Transform {
  glm::dvec3 translation{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};  // glm's constructor takes w first
  glm::dvec3 scale{1.0};
};

inline glm::dmat4 to_matrix(const Transform& t) {
  glm::dmat4 m = glm::mat4_cast(t.rotation);
  for (int column = 0; column < 3; ++column) m[column] *= t.scale[column];
  m[3] = glm::dvec4(t.translation, 1.0);
  return m;
}

// An axis-aligned box; empty until a point is added.
struct Bounds {
  glm::dvec3 min{std::numeric_limits<double>::infinity()};
  glm::dvec3 max{-std::numeric_limits<double>::infinity()};

  void add(const glm::dvec3& point) {
    min = glm::min(min, point);
    max = glm::max(max, point);
  }
  void add(const Bounds& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  bool empty() const { return min.x > max.x; }
  glm::dvec3 size() const { return empty() ? glm::dvec3(0.0) : max - min; }
  glm::dvec3 centre() const { return empty() ? glm::dvec3(0.0) : 0.5 * (min + max); }
  double diagonal() const { return glm::length(size()); }
};

}  // namespace throng
