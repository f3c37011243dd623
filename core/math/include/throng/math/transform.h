// SPDX-License-Identifier: Apache-2.0
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

// translation · rotation · scale.
inline glm::dmat4 to_matrix(const Transform& t) {
  glm::dmat4 m = glm::mat4_cast(t.rotation);
  for (int column = 0; column < 3; ++column) m[column] *= t.scale[column];
  m[3] = glm::dvec4(t.translation, 1.0);
  return m;
}

}  // namespace throng
