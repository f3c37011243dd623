// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_kernels.h"
#include "throng/math/simd/float8.h"

#if THRONG_HAS_WIDE
#include <immintrin.h>
#endif

namespace throng::detail::playback::kernels {

#if THRONG_HAS_WIDE

#define THRONG_FUSED __attribute__((target("avx2,fma")))
#define THRONG_FUSED_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

namespace {

// A matrix by its columns, two in a register.
struct Matrix {
  Float8 ab, cd;
};

using Columns = std::array<std::array<float, 4>, 4> Column::*;

template <int kInfluences>
THRONG_FUSED_INLINE Matrix blended(const RestVertex& vertex, const Column* columns, Columns which) {
  const float* const first = (columns[vertex.columns[0]].*which)[0].data();
  Matrix sum{load8(first), load8(first + 8)};
  if constexpr (kInfluences == 1) return sum;
  const Float8 weight = _mm256_broadcast_ss(&vertex.weights[0]);
  sum = {sum.ab * weight, sum.cd * weight};
  for (std::size_t i = 1; i < kInfluences; ++i) {
    const float* const next = (columns[vertex.columns[i]].*which)[0].data();
    const Float8 share = _mm256_broadcast_ss(&vertex.weights[i]);
    sum.ab = _mm256_fmadd_ps(load8(next), share, sum.ab);
    sum.cd = _mm256_fmadd_ps(load8(next + 8), share, sum.cd);
  }
  return sum;
}

THRONG_FUSED_INLINE Float4 times(const Matrix& m, const float* v) {
  const Float8 both = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(v));
  const Float8 xy = __builtin_shufflevector(both, both, 0, 0, 0, 0, 5, 5, 5, 5);
  const Float8 zw = __builtin_shufflevector(both, both, 2, 2, 2, 2, 7, 7, 7, 7);
  const Float8 sum = _mm256_fmadd_ps(m.cd, zw, m.ab * xy);
  return low(sum) + high(sum);
}

// A fourth row of 0 does no harm to a direction.
THRONG_FUSED_INLINE Float4 turned(const Matrix& m, const float* v) { return times(m, v); }

}  // namespace
}  // namespace throng::detail::playback::kernels

#define THRONG_LANES THRONG_FUSED
#include "deform/deform_loop.h"

namespace throng::detail::playback::kernels {

bool has_wide() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}

void move_wide(const Move& move, std::uint32_t influences) { move_by(move, influences); }

#else

bool has_wide() { return false; }
void move_wide(const Move& move, std::uint32_t influences) { move_narrow(move, influences); }

#endif

}  // namespace throng::detail::playback::kernels
