// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices that lie in one place and differ only in what a coarser mesh may overlook.

#include <array>

#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

struct CoincidentVertices {
  std::vector<std::uint32_t> place_of;      // per vertex
  std::vector<glm::vec3> positions;         // per place
  std::vector<std::uint32_t> part;          // per place, of BakedMesh::draws
  std::vector<std::uint32_t> first_member;  // per place, and one more: where its vertices start in `members`
  std::vector<std::uint32_t> members;       // only vertices that triangles use
};

// A place is a position of one part and one motion. Vertices there that lie further apart in the texture (a side of it
// is 1) and in colour (black to white is 3) than `tolerance` are of different places. The mesh must have only its full
// level.
CoincidentVertices find_coincident_vertices(const BakedMesh& mesh, const std::vector<std::uint64_t>& motions,
                                            float tolerance);

// The vertices for a triangle of three places: next to one another in the texture, normals as the triangle's.
std::array<std::uint32_t, 3> corners_for(const BakedMesh& mesh, const CoincidentVertices& coincident,
                                         const std::array<std::uint32_t, 3>& places);

}  // namespace throng::detail::bake
