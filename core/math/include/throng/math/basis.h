// SPDX-License-Identifier: Apache-2.0
#pragma once
// Three axes at right angles, and boxes along them.

#include <array>
#include <cmath>
#include <glm/glm.hpp>

#include "throng/math/bounds.h"
#include "throng/math/directions.h"

namespace throng {

struct Basis {
  glm::dvec3 x, y, z;
};

// x, y across; z along `forward`.
inline Basis basis_along(const glm::dvec3& forward) {
  const glm::dvec3 z = glm::normalize(forward);
  const glm::dvec3 helper = std::abs(z.y) > 0.999 ? glm::dvec3(0.0, 0.0, 1.0) : glm::dvec3(0.0, 1.0, 0.0);
  const glm::dvec3 x = glm::normalize(glm::cross(z, helper));
  return {x, glm::cross(z, x), z};
}

// Axes that were rounded, or blended, one by one, and so are at right angles only nearly: z, of unit length, is taken
// at its word, and x leans as little as it can. An x that lies along z says nothing; any across z will do then.
inline Basis basis_of(const glm::dvec3& z, const glm::dvec3& rough_x) {
  const glm::dvec3 x = unit_or(perpendicular_part(rough_x, z), perpendicular(z), 1e-6);
  return {x, glm::cross(z, x), z};
}

// The point's coordinates along the axes.
inline glm::dvec3 in_basis(const Basis& basis, const glm::dvec3& p) {
  return {glm::dot(basis.x, p), glm::dot(basis.y, p), glm::dot(basis.z, p)};
}

// All eight corners of a box.
inline std::array<glm::dvec3, 8> corners(const Bounds& box) {
  std::array<glm::dvec3, 8> result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = {(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                 (i & 4) != 0 ? box.max.z : box.min.z};
  return result;
}

// The smallest box along the axes that holds a box along x, y and z.
inline Bounds box_in(const Basis& basis, const Bounds& box) {
  Bounds result;
  for (const glm::dvec3& corner : corners(box)) result.add(in_basis(basis, corner));
  return result;
}

}  // namespace throng
