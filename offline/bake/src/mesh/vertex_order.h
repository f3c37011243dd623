// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which order triangles and vertices lie, for the caches of the GPU.

#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

// Triangles of every part of every level: neighbours share vertices, and those that hide others tend to come first.
void order_triangles(BakedMesh& mesh);

// Vertices: those of the coarsest level first, then what each finer one adds, each in the order its triangles ask for
// them; last those that no triangle uses. Every level's vertices are then the first so many.
void order_vertices(BakedMesh& mesh);

// The same, but in the order of their source among those of a level, so that the vertices of a mesh lie together.
void order_vertices_by_level(BakedMesh& mesh);

// Puts vertex v, wherever it is used, in the place of `place[v]`; places are those of a permutation, or fewer than
// vertices where several become one (the first of them is kept). Levels count theirs anew.
void renumber_vertices(const std::vector<std::uint32_t>& place, std::uint32_t count, BakedMesh& mesh);

}  // namespace throng::detail::bake
