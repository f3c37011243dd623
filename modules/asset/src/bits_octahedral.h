#pragma once
// Directions as points of an unfolded octahedron: two SNORM fields. The axes come out exactly.

#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>

#include "bits.h"

namespace throng::bits {

struct Octahedral {
  std::uint32_t u = 0;
  std::uint32_t v = 0;
};

inline double side_of(double value) { return value < 0.0 ? -1.0 : 1.0; }

// On the octahedron |x| + |y| + |z| = 1.
inline glm::dvec3 unfold(double u, double v) {
  const double z = 1.0 - std::abs(u) - std::abs(v);
  if (z >= 0.0) return {u, v, z};
  return {(1.0 - std::abs(v)) * side_of(u), (1.0 - std::abs(u)) * side_of(v), z};
}

inline glm::dvec3 decode_octahedral(const Octahedral& point, int count) {
  return glm::normalize(unfold(from_snorm(point.u, count), from_snorm(point.v, count)));
}

// The best of the four neighbours: rounding each axis for itself is off by up to half as much again.
inline Octahedral encode_octahedral(const glm::dvec3& direction, int count) {
  const double sum = std::abs(direction.x) + std::abs(direction.y) + std::abs(direction.z);
  if (!(sum > 0.0)) return {};
  glm::dvec2 folded(direction.x / sum, direction.y / sum);
  if (direction.z < 0.0)
    folded = {(1.0 - std::abs(folded.y)) * side_of(direction.x), (1.0 - std::abs(folded.x)) * side_of(direction.y)};
  const double steps = snorm_max(count);
  const glm::dvec2 low(std::floor(folded.x * steps), std::floor(folded.y * steps));
  Octahedral best;
  double nearest_cosine = -2.0;
  for (int i = 0; i < 4; ++i) {
    const double u = clamped((low.x + (i & 1)) / steps, -1.0, 1.0);
    const double v = clamped((low.y + (i >> 1)) / steps, -1.0, 1.0);
    const glm::dvec3 back = unfold(u, v);
    const double towards = glm::dot(back, direction);
    // The cosine's square, with its sign: no root is needed to compare.
    const double cosine = towards * std::abs(towards) / glm::dot(back, back);
    if (cosine <= nearest_cosine) continue;
    nearest_cosine = cosine;
    best = {snorm(u, count), snorm(v, count)};
  }
  return best;
}

}  // namespace throng::bits
