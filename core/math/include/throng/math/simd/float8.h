// SPDX-License-Identifier: Apache-2.0
#pragma once
// Eight floats at once, where the processor has them: the same sums in the same order as with four, so that the result
// is the same to the bit. Functions that use them say THRONG_WIDE, and are called only when has_wide() says so.

#include "throng/math/simd/float4.h"

#if defined(__x86_64__)
#define THRONG_HAS_WIDE 1
#define THRONG_WIDE __attribute__((target("avx")))
#define THRONG_WIDE_INLINE __attribute__((target("avx"), always_inline)) inline

namespace throng::simd {

using Float8 __attribute__((vector_size(32))) = float;
using Word8 __attribute__((vector_size(32))) = std::uint32_t;

inline bool has_wide() {
  static const bool has = __builtin_cpu_supports("avx") != 0;
  return has;
}

THRONG_WIDE_INLINE Float8 load8(const float* from) {
  Float8 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
THRONG_WIDE_INLINE void store8(float* to, Float8 v) { std::memcpy(to, &v, sizeof v); }
THRONG_WIDE_INLINE Float8 twice(Float4 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7); }
THRONG_WIDE_INLINE Float4 low(Float8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
THRONG_WIDE_INLINE Float4 high(Float8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

}  // namespace throng::simd
#else
#define THRONG_HAS_WIDE 0

namespace throng::simd {

inline bool has_wide() { return false; }

}  // namespace throng::simd
#endif
