// SPDX-License-Identifier: Apache-2.0
#pragma once
// gpu::turned_blend of throng/shaders/shared/channels.h for several rotations at once, to the bit; what depends on the
// moment alone is worked out before.

#include "throng/math/simd/float8.h"

namespace throng::detail::animator::soa {

struct EvenTurn {
  explicit EvenTurn(float at)
      : blend(at), bend(at * (at - 0.5f) * (at - 1.0f)), middle_squared((at - 0.5f) * (at - 0.5f)) {}

  // The blend for four rotations. `cosine`: the absolute cosine between their two ends.
  simd::Float4 at(simd::Float4 cosine) const {
    const simd::Float4 e = 1.0f - cosine;
    const simd::Float4 even = kEven[0] + e * (kEven[1] + e * kEven[2]);
    const simd::Float4 bent = kBent[0] + e * (kBent[1] + e * kBent[2]);
    return blend + bend * (e * (even + middle_squared * bent));
  }

#if THRONG_HAS_WIDE
  // The same of eight: a function that is compiled for four would do these in pieces.
  THRONG_WIDE_INLINE simd::Float8 at(simd::Float8 cosine) const {
    const simd::Float8 e = 1.0f - cosine;
    const simd::Float8 even = kEven[0] + e * (kEven[1] + e * kEven[2]);
    const simd::Float8 bent = kBent[0] + e * (kBent[1] + e * kBent[2]);
    return blend + bend * (e * (even + middle_squared * bent));
  }
#endif

  static constexpr float kEven[3] = {0.66886830f, 0.12064277f, 0.057646540f};
  static constexpr float kBent[3] = {0.032105980f, 0.35166569f, 0.60589199f};
  float blend, bend, middle_squared;
};

// Below it a quaternion, from words that nobody wrote, has no direction; it must not become NaN.
inline constexpr float kNoLength = 1e-12f;

}  // namespace throng::detail::animator::soa
