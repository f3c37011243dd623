// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes around what the bones of a skeleton make of a piece that is blended as dual quaternions. Pure.

#include "near/near_bounds.h"
#include "throng/character/motion.h"

namespace throng::detail::renderer {

// The boxes of such a piece, as they are moved.
class ScrewBoxes {
 public:
  ScrewBoxes() = default;
  // `bindings`: of the piece's model.
  ScrewBoxes(std::span<const ScrewBox> boxes, std::span<const MotionBinding> bindings);

  // In model space, for what is rounded on the way, too. A vertex is within R / |r|² of any point (near_mesh.h): that
  // point is where its strongest bone has the middle of its box.
  FloatBox moved(const BoxMoves& moves) const;

 private:
  using Lanes = std::array<std::uint32_t, 4>;

  // Four bindings of the piece, the last again where there are fewer.
  struct Bindings {
    Lanes numbers{};  // of the piece's model
    float bone_from_mesh[3][4][4]{};
    float lengths[3][4]{};  // of its columns, squared
    std::array<glm::dmat4, 4> exact{};
  };
  // Four boxes. Bindings count among those of the piece.
  struct Group {
    Lanes strongest{};
    float least_weight[4]{};
    std::uint32_t first_other = 0;
    std::uint32_t other_count = 0;
  };
  struct Screw;

  std::vector<Screw> screws(const BoxMoves& moves) const;

  BoxLanes boxes_;
  std::vector<Group> groups_;
  std::vector<Lanes> others_;  // a box without so many has its strongest again
  std::vector<Bindings> bindings_;
};

}  // namespace throng::detail::renderer
