// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes around what the bones of a skeleton make of a piece, found from the bones alone. Pure.

#include <span>

#include "throng/animator/rig.h"
#include "throng/character/near_mesh.h"
#include "throng/character/skin_method.h"

namespace throng::detail::renderer {

// What a piece's boxes are moved by.
struct BoxMoves {
  std::span<const Affine> model_from_bones;
  std::span<const std::uint32_t> bound_bones;  // of every binding of the piece's model, its bone among those
  std::span<const MotionBinding> bindings;     // of that model
  std::span<const float> weights;              // of the piece's morph targets
};

// In model space; a little wider than it must be, by what floats are rounded.
FloatBox moved_bounds(const PieceBoxes& boxes, SkinMethod method, const BoxMoves& moves);

}  // namespace throng::detail::renderer
