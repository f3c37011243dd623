// SPDX-License-Identifier: Apache-2.0
#pragma once
// In coarse levels, merges vertices that only a seam separates where the seam cannot be seen. Where texture and shading
// split every edge, a level has as many vertices as triangles; from afar, about half of them do.

#include "levels/simplify.h"

namespace throng::detail::bake {

struct CoarseLevel {
  SimplifiedMesh mesh;
  double error = 0.0;  // in model units
};

// Corners of a place that move alike in every pose take one of their vertices, so that no level's shape changes. What
// changes is how triangles look: each by no more than half the level's error, where a triangle all of whose colour is
// another counts for its width. Vertices that a coarser level has are taken first: a finer one has them anyway.
void merge_coincident(const BakedMesh& mesh, const LevelMesh& welded, const LevelPoses& poses,
                      std::vector<CoarseLevel>& levels);

}  // namespace throng::detail::bake
