// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh as simplification wants it: vertices that only a seam of the texture or of the shading separates are one
// place, and places are known in several poses.
//
// Parts whose borders meet are one cluster, unless one of them is worn at a time: they are simplified together, so that
// nothing opens between them. Clusters have no place in common, and each becomes as coarse as its own shape allows.

#include "levels/level_poses.h"

namespace throng::detail::bake {

// An edge from one corner of a triangle to the next.
struct TriangleEdge {
  std::uint32_t triangle = 0;
  std::uint32_t corner = 0;  // 0 to 2: where it begins
};

// An edge on whose other side there is a triangle of another draw.
struct DrawEdge {
  TriangleEdge edge;
  double contrast = 0.0;  // of the two: draw_contrast()
};

struct LevelMesh {
  std::vector<std::uint32_t> place_of;              // per vertex
  std::vector<std::vector<std::uint32_t>> members;  // per place: its vertices, those that triangles use
  std::vector<std::vector<glm::dvec3>> poses;       // per pose and place: where it is; the first is the reference
  std::vector<std::uint32_t> corners;               // three vertices a triangle
  std::vector<std::uint32_t> draw;                  // per triangle, of BakedMesh::draws
  std::vector<std::uint32_t> cluster;               // per triangle
  std::uint32_t cluster_count = 0;
  std::vector<TriangleEdge> open_edges;  // those that no other triangle goes back along
  std::vector<DrawEdge> draw_edges;      // where draws meet that do not look alike, from both sides
  double extent = 1.0;                   // of the reference pose, the longest side of its box

  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(draw.size()); }
  std::array<std::uint32_t, 3> places(std::uint32_t triangle) const {
    const std::uint32_t* c = &corners[3 * std::size_t{triangle}];
    return {place_of[c[0]], place_of[c[1]], place_of[c[2]]};
  }
};

// Whether two corners of a triangle are of one place, so that it covers nothing.
inline bool is_degenerate(const std::array<std::uint32_t, 3>& places) {
  return places[0] == places[1] || places[1] == places[2] || places[2] == places[0];
}

// How much two draws look unlike by their materials, 0 to 1; 1 where a picture decides.
double draw_contrast(const BakedMesh& mesh, std::uint32_t a, std::uint32_t b);

// Vertices are of one place that are in one in the first `count` poses. Of the parts of each group one is worn at a
// time.
LevelMesh weld(const BakedMesh& mesh, const LevelPoses& poses, std::size_t count, const std::vector<PartGroup>& groups);

}  // namespace throng::detail::bake
