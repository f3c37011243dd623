// SPDX-License-Identifier: Apache-2.0
#include "levels/pose_block.h"

#include <algorithm>

#if THRONG_HAS_WIDE
#include <immintrin.h>
#endif

namespace throng::detail::bake {
namespace {

using Lanes = PoseBlock::Lanes;
using Places = std::array<Lanes, 3>;  // of one vertex, by coordinate

constexpr std::size_t kHalf = 4;

struct Pairs {
  const SurfacePoint* points = nullptr;
  const SurfacePoint* others = nullptr;
  std::size_t end = 0;
  const Places* places = nullptr;
};

// How far two points are apart in four poses, squared: the same sums in the same order as for one pose.
Float4 squared_apart(const SurfacePoint& point, const SurfacePoint& other, const Places* places, std::size_t half) {
  const auto at = [&](const SurfacePoint& p, std::size_t k) {
    const auto corner = [&](std::size_t i) { return load(&places[p.corners[i]][k][half]) * p.weights[i]; };
    return corner(0) + corner(1) + corner(2);
  };
  const Float4 x = at(other, 0) - at(point, 0), y = at(other, 1) - at(point, 1), z = at(other, 2) - at(point, 2);
  return x * x + y * y + z * z;
}

std::size_t first_apart_narrow(const Pairs& pairs, std::size_t first, const Lanes& limits, Lanes& squared) {
  const Float4 low = load(limits.data()), high = load(&limits[kHalf]);
  for (std::size_t i = first; i < pairs.end; ++i) {
    const Float4 a = squared_apart(pairs.points[i], pairs.others[i], pairs.places, 0);
    const Float4 b = squared_apart(pairs.points[i], pairs.others[i], pairs.places, kHalf);
    if (!any(a > low) && !any(b > high)) continue;
    store(squared.data(), a);
    store(&squared[kHalf], b);
    return i;
  }
  return pairs.end;
}

#if THRONG_HAS_WIDE

THRONG_WIDE_INLINE Float8 at8(const SurfacePoint& p, const Places* places, std::size_t k) {
  return load8(places[p.corners[0]][k].data()) * p.weights[0] + load8(places[p.corners[1]][k].data()) * p.weights[1] +
         load8(places[p.corners[2]][k].data()) * p.weights[2];
}

THRONG_WIDE std::size_t first_apart_wide(const Pairs& pairs, std::size_t first, const Lanes& limits, Lanes& squared) {
  const Float8 most = load8(limits.data());
  for (std::size_t i = first; i < pairs.end; ++i) {
    const SurfacePoint &point = pairs.points[i], &other = pairs.others[i];
    const Float8 x = at8(other, pairs.places, 0) - at8(point, pairs.places, 0);
    const Float8 y = at8(other, pairs.places, 1) - at8(point, pairs.places, 1);
    const Float8 z = at8(other, pairs.places, 2) - at8(point, pairs.places, 2);
    const Float8 apart = x * x + y * y + z * z;
    if (_mm256_movemask_ps(_mm256_cmp_ps(apart, most, _CMP_GT_OQ)) == 0) continue;
    store8(squared.data(), apart);
    return i;
  }
  return pairs.end;
}

#else

constexpr auto first_apart_wide = first_apart_narrow;

#endif

}  // namespace

void PoseBlock::place(const LevelPoses& poses, std::span<const SkinPose> skinned) {
  for (std::size_t pose = 0; pose < skinned.size(); ++pose) poses.place(skinned[pose], positions_[pose]);
  lanes_.resize(poses.vertex_count());
  for (std::size_t half = 0; half < kPoses; half += kHalf) {
    std::array<const Float4*, kHalf> from{};
    for (std::size_t i = 0; i < kHalf; ++i) from[i] = positions_[std::min(half + i, skinned.size() - 1)].data();
    for (std::size_t v = 0; v < lanes_.size(); ++v) {
      Float4 x = from[0][v], y = from[1][v], z = from[2][v], w = from[3][v];
      transpose(x, y, z, w);
      store(&lanes_[v][0][half], x);
      store(&lanes_[v][1][half], y);
      store(&lanes_[v][2][half], z);
    }
  }
}

std::size_t PoseBlock::first_apart(std::span<const SurfacePoint> points, std::span<const SurfacePoint> others,
                                   std::size_t first, std::size_t end, const Lanes& limits, Lanes& squared,
                                   bool wide) const {
  const Pairs pairs{points.data(), others.data(), end, lanes_.data()};
  return (wide ? first_apart_wide : first_apart_narrow)(pairs, first, limits, squared);
}

}  // namespace throng::detail::bake
