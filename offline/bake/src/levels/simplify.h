// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fewer triangles between the same vertices, edge by edge: each step moves a place onto a neighbour and drops the
// triangles between them, the step that costs least first. What a step costs is how far the surface moves in the pose
// in which it moves most, and how far normals, texture and colours change.

#include <functional>

#include "levels/level_mesh.h"

namespace throng::detail::bake {

// Three vertices a triangle, and the draw of each.
struct SimplifiedMesh {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> draw;

  std::size_t triangle_count() const { return draw.size(); }
};

// Every cluster with at most so many triangles, for each of its `counts` (falling): as few as can be had where that is
// more, which may be none. `looks` is how much normals, texture and colours count at first; the coarser a cluster gets
// the less they do, since it is seen from further away; 0: only the shape. What is closed stays closed, whatever seams
// run over it, and no triangle takes a vertex of another mesh. Small pieces that hang on nothing may vanish.
// `done` hears now and then what share of the work was done since it heard last.
std::vector<std::vector<SimplifiedMesh>> simplify(const LevelMesh& level_mesh, const BakedMesh& mesh, double looks,
                                                  const std::vector<std::vector<std::size_t>>& counts,
                                                  const std::function<void(double)>& done = {});

}  // namespace throng::detail::bake
