// SPDX-License-Identifier: Apache-2.0
#include "crowd/staff.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>

using namespace throng;

namespace {

struct Ring {
  double height;
  double radius;
  glm::vec3 colour;
};

// A turned shape about the y axis: rings from below, joined by triangles.
PropMesh turned(std::span<const Ring> rings, double metre) {
  constexpr std::uint32_t kSides = 10;
  PropMesh mesh;
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const Ring& below = rings[r == 0 ? 0 : r - 1];
    const Ring& above = rings[std::min(r + 1, rings.size() - 1)];
    const double rise = above.height - below.height;
    const double widening = above.radius - below.radius;
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kSides;
      const glm::dvec3 out(std::cos(angle), 0.0, std::sin(angle));
      mesh.positions.emplace_back(metre * (out * rings[r].radius + glm::dvec3(0.0, rings[r].height, 0.0)));
      mesh.normals.emplace_back(glm::normalize(out * rise + glm::dvec3(0.0, -widening, 0.0)));
      mesh.colours.push_back(rings[r].colour);
    }
  }
  for (std::uint32_t r = 0; r + 1 < rings.size(); ++r)
    for (std::uint32_t i = 0; i < kSides; ++i) {
      const std::uint32_t a = r * kSides + i;
      const std::uint32_t b = r * kSides + (i + 1) % kSides;
      for (const std::uint32_t index : {a, a + kSides, b, b, a + kSides, b + kSides}) mesh.indices.push_back(index);
    }
  return mesh;
}

}  // namespace

PropMesh make_staff(double metre) {
  const glm::vec3 wood(0.23f, 0.11f, 0.045f);
  const glm::vec3 brass(0.72f, 0.46f, 0.12f);
  const std::array<Ring, 10> rings{{{-0.75, 0.0, wood},
                                    {-0.75, 0.016, wood},
                                    {0.8, 0.016, wood},
                                    {0.8, 0.03, brass},
                                    {0.84, 0.045, brass},
                                    {0.9, 0.055, brass},
                                    {0.96, 0.045, brass},
                                    {1.0, 0.02, brass},
                                    {1.08, 0.008, brass},
                                    {1.12, 0.0, brass}}};
  return turned(rings, metre);
}
