// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrices as dual-quaternion skinning blends them, in double.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace throng {

// A matrix as dual-quaternion skinning has it: p ↦ rotation(real) · (scale ⊙ p) + 2 · vector(dual · conjugate(real)).
struct DualQuaternion {
  glm::dquat real{1.0, 0.0, 0.0, 0.0};  // of unit length
  glm::dquat dual{0.0, 0.0, 0.0, 0.0};  // ½ · (0, translation) · real
  glm::dvec3 scale{1.0};
};

// A column of a matrix, or a normal that a scale has changed, has no direction where it is no longer than this. Its
// square is still a float, so that shaders (passes/dual_quaternion.glsl) ask the same.
inline constexpr double kShortestColumn = 1e-15;

// With c0, c1, c2 the columns of the matrix's linear part:
//
//   scale = (±|c0|, |c1|, |c2|), the first negative where the determinant is
//   x = c0 / scale.x,   y = (c1 − x · dot(x, c1)), normalised,   z = cross(x, y)
//
// and `real` is the quaternion of the rotation (x, y, z). Shear is dropped. A column of no length (kShortestColumn) or,
// for y, one that lies along x (to 1e-6 of its length) has its direction from the others: x from cross(c1, c2), else
// across c1, c2 or Y, whichever has a length first; y from cross(c2, x), else across x. Across a unit vector u is
// cross(u, |u.x| < 0.9 ? X : Y), normalised. The scale stays what it is.
DualQuaternion to_dual_quaternion(const glm::dmat4& matrix);

}  // namespace throng
