// SPDX-License-Identifier: Apache-2.0
#pragma once
// Positions and rotations without scale.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "throng/animator/rig.h"
#include "throng/math/directions.h"
#include "throng/math/rotations.h"

namespace throng::detail::ragdoll {

struct Rigid {
  glm::vec3 at{0.0f};
  glm::quat rotation = kNoRotation;
};

inline Rigid operator*(const Rigid& a, const Rigid& b) {
  return {a.at + a.rotation * b.at, glm::normalize(a.rotation * b.rotation)};
}
inline Rigid inverse(const Rigid& a) {
  const glm::quat back = glm::conjugate(a.rotation);
  return {back * -a.at, back};
}

using throng::is_finite;
inline bool is_finite(const Affine& a) { return is_finite(a.rows[0]) && is_finite(a.rows[1]) && is_finite(a.rows[2]); }

inline Rigid rigid_of(const glm::mat4& m) { return {glm::vec3(m[3]), rotation_of(glm::mat3(m))}; }
inline Rigid rigid_of(const Affine& a) { return rigid_of(to_matrix(a)); }
// The cube root of the volume it gives a unit cube.
inline float scale_of(const glm::mat4& m) { return std::cbrt(std::abs(glm::determinant(glm::mat3(m)))); }

}  // namespace throng::detail::ragdoll
