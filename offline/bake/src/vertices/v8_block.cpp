// SPDX-License-Identifier: Apache-2.0
#include "vertices/v8_block.h"

#include <algorithm>

namespace throng::detail::bake {
namespace {

constexpr float kPositionSteps = 16383.0f;  // UNORM, 14 bits
constexpr float kNormalSteps = 1023.0f;     // SNORM, 11 bits
constexpr std::uint32_t kNormalMask = 0x7FF;
constexpr std::uint32_t kAtOnce = 4;

Word4 to_steps(Float4 values, float min, float steps_per_unit) {
  const Float4 steps = (values - min) * steps_per_unit + 0.5f;
  return std::bit_cast<Word4>(to_integers(least(greatest(steps, splat(0.0f)), splat(kPositionSteps))));
}

// A magnitude, which is not negative, with the sign bit of another number.
Float4 with_side_of(Float4 side, Float4 magnitude) {
  return std::bit_cast<Float4>(std::bit_cast<Word4>(magnitude) | (std::bit_cast<Word4>(side) & 0x80000000u));
}

// A point of the unfolded octahedron, in steps.
struct Folded {
  Float4 u, v;
};

Folded folded(const Vectors4& n) {
  const Float4 sum = absolute(n.x) + absolute(n.y) + absolute(n.z);
  const Float4 scale = kNormalSteps / (sum > 0.0f ? sum : splat(1.0f));
  const Float4 u = n.x * scale;
  const Float4 v = n.y * scale;
  const Float4 below_u = with_side_of(n.x, kNormalSteps - absolute(v));
  const Float4 below_v = with_side_of(n.y, kNormalSteps - absolute(u));
  return {n.z < 0.0f ? below_u : u, n.z < 0.0f ? below_v : v};
}

// How far from the normal a point is: the sine's square. (One less the cosine's would be lost in rounding.)
Float4 farness(const Folded& p, const Vectors4& n) {
  const Float4 z = kNormalSteps - absolute(p.u) - absolute(p.v);
  const Float4 x = z < 0.0f ? with_side_of(p.u, kNormalSteps - absolute(p.v)) : p.u;
  const Float4 y = z < 0.0f ? with_side_of(p.v, kNormalSteps - absolute(p.u)) : p.v;
  const Float4 cross_x = y * n.z - z * n.y;
  const Float4 cross_y = z * n.x - x * n.z;
  const Float4 cross_z = x * n.y - y * n.x;
  return (cross_x * cross_x + cross_y * cross_y + cross_z * cross_z) / (x * x + y * y + z * z);
}

// The whole step at or below; the numbers are made positive first, because conversion cuts towards zero.
Float4 step_below(Float4 v) { return to_floats(to_integers(v + (kNormalSteps + 1.0f))) - (kNormalSteps + 1.0f); }

// The best of the four neighbours, the first of equals.
Folded nearest_steps(const Vectors4& n) {
  const Folded exact = folded(n);
  const Folded low{step_below(exact.u), step_below(exact.v)};
  const Folded high{least(low.u + 1.0f, splat(kNormalSteps)), least(low.v + 1.0f, splat(kNormalSteps))};
  Folded best = low;
  Float4 least_farness = farness(low, n);
  for (const Folded& other : {Folded{high.u, low.v}, Folded{low.u, high.v}, high}) {
    const Float4 other_farness = farness(other, n);
    const auto nearer = other_farness < least_farness;
    best.u = nearer ? other.u : best.u;
    best.v = nearer ? other.v : best.v;
    least_farness = nearer ? other_farness : least_farness;
  }
  return best;
}

Word4 normal_field(Float4 steps) { return (std::bit_cast<Word4>(to_integers(steps)) & kNormalMask) << 14; }

}  // namespace

V8Box::V8Box(const ClipRange& range) : min(splat(0.0f)), steps_per_unit(splat(0.0f)) {
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = static_cast<float>(range.pivot_min[axis]);
    const double size = range.pivot_size[axis];
    steps_per_unit[axis] = size > 0.0 ? static_cast<float>(static_cast<double>(kPositionSteps) / size) : 0.0f;
  }
}

void encode_v8_block(const V8Box& box, const SkinnedBlock& block, std::uint32_t count, std::uint32_t* words) {
  static_assert(kSkinBlock % kAtOnce == 0);
  for (std::uint32_t first = 0; first < count; first += kAtOnce) {
    const Vectors4 p = vectors_of(block.positions + first);
    const Folded n = nearest_steps(vectors_of(block.normals + first));
    const Word4 z = to_steps(p.z, box.min[2], box.steps_per_unit[2]);
    const Word4 low = to_steps(p.x, box.min[0], box.steps_per_unit[0]) | normal_field(n.u) | z << 25;
    const Word4 high = to_steps(p.y, box.min[1], box.steps_per_unit[1]) | normal_field(n.v) | z >> 7 << 25;
    const std::uint32_t here = std::min(kAtOnce, count - first);
    for (std::uint32_t i = 0; i < here; ++i) {
      words[2 * (first + i)] = low[i];
      words[2 * (first + i) + 1] = high[i];
    }
  }
}

}  // namespace throng::detail::bake
