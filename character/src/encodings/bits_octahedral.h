// SPDX-License-Identifier: Apache-2.0
#pragma once
// Directions as points of an unfolded octahedron: two SNORM fields. The axes come out exactly. A vertex bake spends
// much of its time here, so nothing branches on the direction.

#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>

#include "encodings/bits.h"

namespace throng::detail::character::bits {

struct Octahedral {
  std::uint32_t u = 0;
  std::uint32_t v = 0;
};

// The point on the octahedron |x| + |y| + |z| = 1.
inline glm::dvec3 unfold(double u, double v) {
  const double z = 1.0 - std::abs(u) - std::abs(v);
  const bool below = z < 0.0;
  return {std::copysign(below ? 1.0 - std::abs(v) : std::abs(u), u),
          std::copysign(below ? 1.0 - std::abs(u) : std::abs(v), v), z};
}

inline glm::dvec3 decode_octahedral(const Octahedral& point, int count) {
  return glm::normalize(unfold(from_snorm(point.u, count), from_snorm(point.v, count)));
}

// Where a direction lies on the unfolded octahedron, −1 to 1 both ways.
inline glm::dvec2 fold(const glm::dvec3& direction) {
  const double size = 1.0 / (std::abs(direction.x) + std::abs(direction.y) + std::abs(direction.z));
  const double x = direction.x * size;
  const double y = direction.y * size;
  const bool below = direction.z < 0.0;
  return {std::copysign(below ? 1.0 - std::abs(y) : std::abs(x), x),
          std::copysign(below ? 1.0 - std::abs(x) : std::abs(y), y)};
}

// How near a point of the octahedron is to a direction: the cosine's square, which needs no root to compare. Only for
// points less than a quarter turn away.
inline double nearness(const glm::dvec3& point, const glm::dvec3& direction) {
  const double towards = glm::dot(point, direction);
  return towards * towards / glm::dot(point, point);
}

// The best of the four neighbours: rounding each axis for itself is off by up to half as much again. What has no
// direction becomes +Z.
inline Octahedral encode_octahedral(const glm::dvec3& direction, int count) {
  if (!(glm::dot(direction, direction) > 0.0)) return {};
  const auto limit = static_cast<std::int32_t>(mask(count - 1));
  const double step = 1.0 / snorm_max(count);
  const glm::dvec2 place = fold(direction) * snorm_max(count);
  // Truncation rounds down what is not negative.
  const std::int32_t u = std::min(static_cast<std::int32_t>(place.x + limit) - limit, limit - 1);
  const std::int32_t v = std::min(static_cast<std::int32_t>(place.y + limit) - limit, limit - 1);
  const double corners[4] = {nearness(unfold(u * step, v * step), direction),
                             nearness(unfold((u + 1) * step, v * step), direction),
                             nearness(unfold(u * step, (v + 1) * step), direction),
                             nearness(unfold((u + 1) * step, (v + 1) * step), direction)};
  const int low = corners[1] > corners[0] ? 1 : 0;
  const int high = corners[3] > corners[2] ? 3 : 2;
  const int best = corners[high] > corners[low] ? high : low;
  return {static_cast<std::uint32_t>(u + (best & 1)) & mask(count),
          static_cast<std::uint32_t>(v + (best >> 1)) & mask(count)};
}

}  // namespace throng::detail::character::bits
