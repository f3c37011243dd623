// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of a mesh hangs on nothing else: buttons, buckles, an eye. From afar such a piece may vanish as a whole.

#include "levels/level_mesh.h"

namespace throng::detail::bake {

struct LoosePiece {
  double size = 0.0;  // the diagonal of its box, in the pose in which it is largest
  std::vector<std::uint32_t> triangles;
};

// Pieces of at most a tenth of all triangles, the smallest last.
std::vector<LoosePiece> loose_pieces(const LevelMesh& mesh);

}  // namespace throng::detail::bake
