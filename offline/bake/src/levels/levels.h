// SPDX-License-Identifier: Apache-2.0
#pragma once
// Coarser meshes of the same vertices.

#include "levels/level_poses.h"
#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

// Appends up to `levels` − 1 coarser levels to a mesh that has only its full one, each of the same share of the
// triangles of the one before: a little over half where there are eight. There are fewer levels where so few triangles
// cannot be had, or only at the price of the shape.
//
// Vertices that only a seam separates are simplified as one, so what is closed stays closed; meshes of the source keep
// their borders, and no triangle takes a vertex of another mesh. The mesh is simplified several times, with more and
// less regard for normals, texture and colours; of these, the one is kept that regards them most and whose shape is not
// much worse than the best. Levels use the vertices of finer ones.
//
// The error of a level is how far its surface and the full one are apart where they are furthest, in any of the poses.
//
// `groups`: of whose parts one is worn at a time, so that none of them is simplified with another.
void add_levels(std::uint32_t levels, const LevelPoses& poses, const std::vector<PartGroup>& groups, Executor& executor,
                BakedMesh& mesh, const Progress& progress = {});

// Sets, for the full mesh and each level, how far vertices move in any of the poses where they follow fewer of their
// bones. The mesh lies in the order of its source.
void add_fewer_bones(const LevelPoses& poses, Executor& executor, BakedMesh& mesh);

}  // namespace throng::detail::bake
