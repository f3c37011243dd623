// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where vertices are in eight poses at once: what is asked of very many points in very many poses, and is mostly
// answered alike, is asked of eight poses at a time.

#include <array>

#include "levels/level_poses.h"
#include "levels/triangle_tree.h"
#include "throng/math/simd/float8.h"

namespace throng::detail::bake {

class PoseBlock {
 public:
  static constexpr std::size_t kPoses = 8;
  using Lanes = std::array<float, kPoses>;

  // At least one pose, and no more than kPoses; lanes behind the last one repeat it.
  void place(const LevelPoses& poses, std::span<const SkinPose> skinned);

  // As LevelPoses::place() has it.
  std::span<const Float4> positions(std::size_t pose) const { return positions_[pose]; }

  // Of pairs of points, the first from `first` on that are further apart in any pose than the pose's limit, or `end`.
  // `squared` says how far those are. Limits are squares, too. `wide`: by eight floats at a time, with the same result.
  std::size_t first_apart(std::span<const SurfacePoint> points, std::span<const SurfacePoint> others, std::size_t first,
                          std::size_t end, const Lanes& limits, Lanes& squared, bool wide = has_wide()) const;

 private:
  std::array<std::vector<Float4>, kPoses> positions_;
  std::vector<std::array<Lanes, 3>> lanes_;  // by vertex and coordinate
};

}  // namespace throng::detail::bake
