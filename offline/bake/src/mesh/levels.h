// SPDX-License-Identifier: Apache-2.0
#pragma once
// Coarser meshes of the same vertices.

#include "levels/level_poses.h"
#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

// Appends up to `levels` − 1 coarser levels to a mesh that has only its full one, each of about a third of the
// triangles of the one before. There are fewer levels where so few cannot be had, or only at the price of the shape.
//
// All parts are simplified together: an edge where two materials, two charts of a texture or two bones meet moves on
// both sides alike, so what is closed stays closed. Vertices are joined only with others of the same material and
// motion (`motions`: a number per vertex, the same where vertices move alike). Normals are no reason not to join, so
// meshes of flat facets, whose triangles share no vertex, become coarser too; texture coordinates only where it works
// without that. Each corner then takes the vertex of its place that fits its triangle best.
//
// The error of a level is how far its surface and the full one are apart where they are furthest, in any of the poses.
void add_levels(std::uint32_t levels, const std::vector<std::uint64_t>& motions, const LevelPoses& poses,
                Executor& executor, BakedMesh& mesh);

}  // namespace throng::detail::bake
