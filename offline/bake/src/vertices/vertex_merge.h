// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices that are alike in every frame become one, where the source's order of vertices is not needed.

#include "mesh/baked_mesh.h"

namespace throng::detail::bake {

// The frames of a bake, one after the other; each a span of the same number of words.
using AllFrames = std::vector<std::span<const std::uint32_t>>;

// Which vertex each becomes: vertices of one material, texture coordinate and colour whose words are the same in every
// frame become the first of them. The numbers are 0 to `count` − 1, in the order of the vertices that are kept.
struct MergedVertices {
  std::vector<std::uint32_t> place;
  std::uint32_t count = 0;
};
MergedVertices merge_alike(const BakedMesh& mesh, const AllFrames& frames, std::uint32_t words_per_vertex,
                           Executor& executor);

}  // namespace throng::detail::bake
