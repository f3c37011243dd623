// SPDX-License-Identifier: Apache-2.0
#include "jobs/channel_codec.h"
#include "throng/math/simd/float8.h"
#include "throng/shaders/shared/channels.h"

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

// Words 0 to 3 of eight channels.
struct EightChannels {
  __m256i words[4];
};

THRONG_WIDE_SHIFTS_INLINE __m256i two(const std::uint32_t* low, const std::uint32_t* high) {
  const __m256i first = _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low)));
  return _mm256_inserti128_si256(first, _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)), 1);
}

// `channel(lane)`: where the channel of a lane begins.
template <class Channel>
THRONG_WIDE_SHIFTS_INLINE EightChannels load_channels(const Channel& channel) {
  const __m256i a = two(channel(0), channel(4)), b = two(channel(1), channel(5));
  const __m256i c = two(channel(2), channel(6)), d = two(channel(3), channel(7));
  const __m256i ab_low = _mm256_unpacklo_epi32(a, b), ab_high = _mm256_unpackhi_epi32(a, b);
  const __m256i cd_low = _mm256_unpacklo_epi32(c, d), cd_high = _mm256_unpackhi_epi32(c, d);
  return {{_mm256_unpacklo_epi64(ab_low, cd_low), _mm256_unpackhi_epi64(ab_low, cd_low),
           _mm256_unpacklo_epi64(ab_high, cd_high), _mm256_unpackhi_epi64(ab_high, cd_high)}};
}

THRONG_WIDE_SHIFTS_INLINE __m256i first_bits(const EightChannels& c) {
  const __m256i y = _mm256_slli_epi32(_mm256_srli_epi32(c.words[1], 26), 6);
  const __m256i z = _mm256_slli_epi32(_mm256_srli_epi32(c.words[2], 26), 12);
  return _mm256_or_si256(_mm256_srli_epi32(c.words[0], 26), _mm256_or_si256(y, z));
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

struct Means {
  Float8 x, y, z, w;
};

THRONG_WIDE_SHIFTS_INLINE Float8 mean_component(__m256i word) {
  const Float8 field = _mm256_cvtepi32_ps(_mm256_and_si256(word, _mm256_set1_epi32(0x7FFF)));
  return (field - 16383.0f) * gpu::kMeanStep;
}

THRONG_WIDE_SHIFTS_INLINE Float8 chosen(__m256i mask, Float8 yes, Float8 no) {
  return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(mask));
}

// gpu::rotation_mean() of each.
THRONG_WIDE_SHIFTS_INLINE Means means_of(__m256i word_3, __m256i word_4) {
  const Float8 a = mean_component(word_3), b = mean_component(_mm256_srli_epi32(word_3, 15)),
               c = mean_component(word_4);
  const Float8 square = 1.0f - (a * a + b * b + c * c);
  const Float8 rest = _mm256_sqrt_ps(square > 0.0f ? square : Float8{});
  const __m256i left_out = _mm256_srli_epi32(word_3, 30);
  const __m256i is_x = _mm256_cmpeq_epi32(left_out, _mm256_setzero_si256());
  const __m256i is_y = _mm256_cmpeq_epi32(left_out, _mm256_set1_epi32(1));
  const __m256i is_z = _mm256_cmpeq_epi32(left_out, _mm256_set1_epi32(2));
  const __m256i is_w = _mm256_cmpeq_epi32(left_out, _mm256_set1_epi32(3));
  return {chosen(is_x, rest, a), chosen(is_x, a, chosen(is_y, rest, b)), chosen(is_w, c, chosen(is_z, rest, b)),
          chosen(is_w, rest, c)};
}

THRONG_WIDE_SHIFTS_INLINE void store_present(float* to, Float8 value, std::uint8_t present) {
  if (present != 0xFFu) {
    const Word8 bits = Word8{1, 2, 4, 8, 16, 32, 64, 128} & static_cast<std::uint32_t>(present);
    value = bits != 0u ? value : load8(to);
  }
  store8(to, value);
}

}  // namespace

bool has_wide_decoder() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

THRONG_WIDE_SHIFTS void decode_rotations_wide(ClipWords words, const RotationLanes& lanes, FrameWords frame,
                                              float* out) {
  const EightChannels c = load_channels([&](std::size_t lane) { return words + lanes.channels[lane]; });
  const __m256i channels =
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes.channels.data())));
  const __m256i word_4 = _mm256_i32gather_epi32(reinterpret_cast<const int*>(words + 4), channels, 4);
  const Float8 step = _mm256_castsi256_ps(_mm256_and_si256(word_4, _mm256_set1_epi32(static_cast<int>(0xFFFF0000u))));
  const __m256i bits = first_bits(c);
  const __m256i x_widths = widths_of(c.words[0]), y_widths = widths_of(c.words[1]);
  const __m256i y_bits = _mm256_add_epi32(bits, x_widths), z_bits = _mm256_add_epi32(y_bits, y_widths);
  const Float8 dx = fields_of(c.words[0], bits, x_widths, step, frame);
  const Float8 dy = fields_of(c.words[1], y_bits, y_widths, step, frame);
  const Float8 dz = fields_of(c.words[2], z_bits, widths_of(c.words[2]), step, frame);
  const Float8 square = 1.0f - (dx * dx + dy * dy + dz * dz);
  const Float8 dw = _mm256_sqrt_ps(square > 0.0f ? square : Float8{});
  const Means m = means_of(c.words[3], word_4);
  store_present(out, (m.w * dx + m.x * dw) + (m.y * dz - m.z * dy), lanes.present);
  store_present(out + 8, (m.w * dy + m.y * dw) + (m.z * dx - m.x * dz), lanes.present);
  store_present(out + 16, (m.w * dz + m.z * dw) + (m.x * dy - m.y * dx), lanes.present);
  store_present(out + 24, (m.w * dw - m.x * dx) - (m.y * dy + m.z * dz), lanes.present);
  if (lanes.fourths != 0) decode_fourths(words, lanes, frame, out);
}

THRONG_WIDE_SHIFTS void decode_vectors_wide(ClipWords words, std::span<const VectorLane> lanes, FrameWords frame,
                                            float* out) {
  const __m256i same = _mm256_set1_epi32(static_cast<int>(gpu::kSameAsX));
  for (std::size_t first = 0; first < lanes.size(); first += 8) {
    // Of fewer than eight the last is read again.
    const auto at = [&](std::size_t lane) -> const VectorLane& {
      return lanes[first + lane < lanes.size() ? first + lane : lanes.size() - 1];
    };
    const EightChannels c = load_channels([&](std::size_t lane) { return words + at(lane).channel; });
    const Float8 step = _mm256_castsi256_ps(c.words[3]);
    const __m256i bits = first_bits(c);
    const __m256i x_widths = widths_of(c.words[0]);
    const __m256i y_same = _mm256_cmpeq_epi32(widths_of(c.words[1]), same);
    const __m256i z_same = _mm256_cmpeq_epi32(widths_of(c.words[2]), same);
    const __m256i y_widths = _mm256_andnot_si256(y_same, widths_of(c.words[1]));
    const __m256i z_widths = _mm256_andnot_si256(z_same, widths_of(c.words[2]));
    const __m256i y_bits = _mm256_add_epi32(bits, x_widths), z_bits = _mm256_add_epi32(y_bits, y_widths);
    const Float8 x = fields_of(c.words[0], bits, x_widths, step, frame);
    const Float8 y = chosen(y_same, x, fields_of(c.words[1], y_bits, y_widths, step, frame));
    const Float8 z = chosen(z_same, x, fields_of(c.words[2], z_bits, z_widths, step, frame));
    float decoded[3][8];
    store8(decoded[0], x);
    store8(decoded[1], y);
    store8(decoded[2], z);
    for (std::size_t lane = 0; lane < 8 && first + lane < lanes.size(); ++lane) {
      float* const to = out + lanes[first + lane].to;
      to[0] = decoded[0][lane];
      to[4] = decoded[1][lane];
      to[8] = decoded[2][lane];
    }
  }
}

#else

bool has_wide_decoder() { return false; }
void decode_rotations_wide(ClipWords words, const RotationLanes& lanes, FrameWords frame, float* out) {
  decode_rotations_narrow(words, lanes, frame, out);
}
void decode_vectors_wide(ClipWords words, std::span<const VectorLane> lanes, FrameWords frame, float* out) {
  decode_vectors_narrow(words, lanes, frame, out);
}

#endif

}  // namespace throng::detail::animator
