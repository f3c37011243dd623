// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the implicit body to triangles: a fine mesh of the left half, cut along the panels, then thinned to what shows.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace throng::detail::mannequin {

struct Triangle {
  std::uint32_t v[3];
  std::int32_t panel = -1;  // index of a panel shape; -1: plain shell
};

// The left half, x >= 0. Its rim lies exactly on x = 0, so that the mirrored half meets it.
struct Surface {
  std::vector<glm::dvec3> positions;
  std::vector<Triangle> triangles;
};

Surface polygonise_half_body();

// Cuts triangles so that every panel's outline runs along edges, and says which panel each triangle belongs to.
void cut_along_panels(Surface& surface);

// Collapses edges, least visible first, until `vertices` are left. The rim and the outlines of panels keep their shape.
void thin_out(Surface& surface, std::size_t vertices);

// Both halves.
Surface mirror(const Surface& half);

}  // namespace throng::detail::mannequin
