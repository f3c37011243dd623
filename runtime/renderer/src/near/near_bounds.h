// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes around what the bones of a skeleton make of a piece, found from the bones alone. Pure.

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/character/near_mesh.h"
#include "throng/character/skin_method.h"

namespace throng::detail::renderer {

// The boxes of a piece that is blended linearly, as they are moved: four at a time.
class LinearBoxes {
 public:
  LinearBoxes() = default;
  explicit LinearBoxes(std::span<const BoneBox> boxes);

 private:
  friend struct BoxMover;

  // Where there are fewer, the last again.
  struct Group {
    std::array<std::uint32_t, 4> bindings{};
    float min[3][4]{};  // by axis
    float max[3][4]{};
    float largest[4]{};
    std::uint32_t first_reach = 0;
    std::uint32_t reach_count = 0;
  };
  struct Reach {
    std::uint32_t target = 0;
    std::uint32_t lane = 0;  // whose box it widens
    FloatBox offsets;
  };

  std::vector<Group> groups_;
  std::vector<Reach> reaches_;
};

// What a piece's boxes are moved by.
struct BoxMoves {
  std::span<const Affine> model_from_bones;
  std::span<const std::uint32_t> bound_bones;  // of every binding of the piece's model, its bone among those
  std::span<const MotionBinding> bindings;     // of that model
  std::span<const float> weights;              // of the piece's morph targets
};

// In model space; a little wider than it must be, by what floats are rounded.
FloatBox moved_bounds(const LinearBoxes& boxes, const BoxMoves& moves);
// The same of a piece that is blended as dual quaternions.
FloatBox moved_bounds(std::span<const ScrewBox> boxes, const BoxMoves& moves);

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
