// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes around what the bones of a skeleton make of a piece, found from the bones alone. Pure.

#include <limits>

#include "near/box_lanes.h"

namespace throng::detail::renderer {

// What a piece's boxes are moved by.
struct BoxMoves {
  std::span<const Affine> model_from_bones;
  std::span<const std::uint32_t> bound_bones;  // of every binding of the piece's model, its bone among those
  std::span<const float> weights;              // of the piece's morph targets
};

// The boxes of a piece that is blended linearly, as they are moved.
class LinearBoxes {
 public:
  LinearBoxes() = default;
  explicit LinearBoxes(std::span<const BoneBox> boxes);

  // In model space; a little wider than it must be, by what floats are rounded.
  FloatBox moved(const BoxMoves& moves) const;

 private:
  // Of four boxes.
  struct Group {
    std::array<std::uint32_t, 4> bindings{};
    float largest[4]{};
  };

  BoxLanes boxes_;
  std::vector<Group> groups_;
};

// The squares of the scales that bindings come to, the least and the most.
struct ScaleRange {
  float least = std::numeric_limits<float>::infinity();
  float most = 0.0f;  // infinity: some matrix is not one scale in all directions

  void add(const ScaleRange& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

// Half of what near_skin.comp takes as one scale: two such matrices follow each other.
inline constexpr float kEven = 5e-5f;

// The square of a matrix's scale, or infinity where it is not one scale in all directions.
float even_scale(const Affine& matrix);
// The scales of `bindings` among those of the moves, with what even_scale() says of the bindings' own matrices.
ScaleRange scales_of(std::span<const std::uint32_t> bindings, const BoxMoves& moves,
                     std::span<const float> binding_scales);

// Whether every number of the matrices is finite.
bool all_finite(std::span<const Affine> matrices);

}  // namespace throng::detail::renderer
