// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a quaternion encoding can hold of a matrix: rotation, one scale, translation.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <string>

#include "throng/base/result.h"

namespace throng::detail::bake {

// x ↦ scale · rotation · x + translation.
struct Rigid {
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  double scale = 1.0;  // 0: the rotation is not known
  glm::dvec3 translation{0.0};
};

// The nearest rotation with one scale. An error says what the matrix does that they cannot, when its singular values
// differ by more than 0.5 % or it mirrors; scales below what 16 bits hold count as 0.
Result<Rigid> to_rigid(const glm::dmat4& m);

// Whether to_rigid would succeed, for less.
bool is_rigid(const glm::dmat4& m);

}  // namespace throng::detail::bake
