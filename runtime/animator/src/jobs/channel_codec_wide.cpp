// SPDX-License-Identifier: Apache-2.0
#include "jobs/channel_codec.h"
#include "throng/math/simd/float8.h"

#if THRONG_HAS_WIDE
#include <immintrin.h>
#endif

namespace throng::detail::animator {

#if THRONG_HAS_WIDE

using namespace simd;

// Each lane's own shift, and eight loads at once, are newer than eight floats.
#define THRONG_WIDE_SHIFTS __attribute__((target("avx2")))
#define THRONG_WIDE_SHIFTS_INLINE __attribute__((target("avx2"), always_inline)) inline

namespace {

THRONG_WIDE_SHIFTS_INLINE __m256i load_words(const std::uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
THRONG_WIDE_SHIFTS_INLINE __m256i widths_of(__m256i component) {
  return _mm256_and_si256(_mm256_srli_epi32(component, 21), _mm256_set1_epi32(31));
}

// A field lies in the four bytes from the one on that it begins in: it has 22 bits at most.
THRONG_WIDE_SHIFTS_INLINE __m256 fields_of(__m256i component, __m256i bits, __m256i widths, __m256 step,
                                           FrameWords frame) {
  const __m256i bytes = _mm256_i32gather_epi32(reinterpret_cast<const int*>(frame), _mm256_srli_epi32(bits, 3), 1);
  const __m256i shifted = _mm256_srlv_epi32(bytes, _mm256_and_si256(bits, _mm256_set1_epi32(7)));
  const __m256i ones = _mm256_set1_epi32(-1);
  const __m256i fields = _mm256_andnot_si256(_mm256_sllv_epi32(ones, widths), shifted);
  const __m256i bases = _mm256_srai_epi32(_mm256_slli_epi32(component, 11), 11);
  return _mm256_mul_ps(step, _mm256_add_ps(_mm256_cvtepi32_ps(bases), _mm256_cvtepi32_ps(fields)));
}

}  // namespace

bool has_wide_decoder() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

THRONG_WIDE_SHIFTS void decode_rotations_wide(const RotationLanes& lanes, FrameWords frame, float* out) {
  const __m256i x = load_words(lanes.components[0]), y = load_words(lanes.components[1]),
                z = load_words(lanes.components[2]);
  const __m256i bits = _mm256_or_si256(
      _mm256_srli_epi32(x, 26),
      _mm256_or_si256(_mm256_slli_epi32(_mm256_srli_epi32(y, 26), 6), _mm256_slli_epi32(_mm256_srli_epi32(z, 26), 12)));
  const __m256i x_widths = widths_of(x), y_widths = widths_of(y);
  const __m256i y_bits = _mm256_add_epi32(bits, x_widths), z_bits = _mm256_add_epi32(y_bits, y_widths);
  const Float8 step = load8(lanes.step);
  const Float8 dx = fields_of(x, bits, x_widths, step, frame);
  const Float8 dy = fields_of(y, y_bits, y_widths, step, frame);
  const Float8 dz = fields_of(z, z_bits, widths_of(z), step, frame);
  const Float8 square = 1.0f - (dx * dx + dy * dy + dz * dz);
  const Float8 dw = _mm256_sqrt_ps(square > 0.0f ? square : Float8{});
  const Float8 mx = load8(lanes.mean[0]), my = load8(lanes.mean[1]), mz = load8(lanes.mean[2]),
               mw = load8(lanes.mean[3]);
  store8(out, (mw * dx + mx * dw) + (my * dz - mz * dy));
  store8(out + 8, (mw * dy + my * dw) + (mz * dx - mx * dz));
  store8(out + 16, (mw * dz + mz * dw) + (mx * dy - my * dx));
  store8(out + 24, (mw * dw - mx * dx) - (my * dy + mz * dz));
}

#else

bool has_wide_decoder() { return false; }
void decode_rotations_wide(const RotationLanes& lanes, FrameWords frame, float* out) {
  decode_rotations_narrow(lanes, frame, out);
}

#endif

}  // namespace throng::detail::animator
