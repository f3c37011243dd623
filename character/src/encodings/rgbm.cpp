// SPDX-License-Identifier: Apache-2.0
// rgbm: RGBA8 with a shared multiplier.
//
//   word  bits
//   0     position: 0–7 r u8 · 8–15 g u8 · 16–23 b u8 · 24–31 m u8; it is (r g b) · m of the box
//   1     normal: the same; it is (r g b) · m · 2 − 1
//   2     tangent: the same with 24–30 m u7 · 31 side
#include <algorithm>
#include <array>
#include <cmath>

#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/tangent_side.h"

namespace throng::detail::character {
namespace {

using namespace bits;

// One channel of rgb · m: whole numbers divided once, so that all pairs of one product are one value.
double rgbm_value(std::uint32_t channel, std::uint32_t m, int m_bits) {
  return static_cast<double>(channel * m) / (unorm_max(8) * unorm_max(m_bits));
}

// For every multiplier of so many bits: what turns a value into a channel's integer, and back. In floats and arrays so
// that compilers work on several at once; products differ by far more than floats round.
template <int kBits>
struct RgbmScales {
  static constexpr std::size_t kCount = std::size_t{1} << kBits;
  std::array<float, kCount> channel_from_value{};
  std::array<float, kCount> value_from_channel{};

  constexpr RgbmScales() {
    for (std::size_t m = 1; m < kCount; ++m) {
      const double step = static_cast<double>(m) / (unorm_max(8) * unorm_max(kBits));
      channel_from_value[m] = static_cast<float>(1.0 / step);
      value_from_channel[m] = static_cast<float>(step);
    }
  }
};

// Three values from 0 to 1 as rgb · m. Of the multipliers that keep rgb within 1, the one that comes nearest, where
// each axis counts by its weight.
template <int kBits>
std::uint32_t encode_rgbm(const glm::dvec3& value, const glm::dvec3& weight) {
  static constexpr RgbmScales<kBits> kScales;
  const glm::dvec3 held(clamped(value.x, 0.0, 1.0), clamped(value.y, 0.0, 1.0), clamped(value.z, 0.0, 1.0));
  const double largest = std::max(held.x, std::max(held.y, held.z));
  // What was decoded must find its own multiplier again: a little less than whole is whole.
  const auto first = static_cast<std::size_t>(std::max(std::ceil(largest * unorm_max(kBits) - 1e-6), 1.0));
  std::array<float, RgbmScales<kBits>::kCount> errors{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto v = static_cast<float>(held[axis]);
    const auto w = static_cast<float>(weight[axis] * weight[axis]);
    for (std::size_t m = first; m < errors.size(); ++m) {
      // Never negative, and lround would keep the compiler from doing several at once.
      // NOLINTNEXTLINE(bugprone-incorrect-roundings)
      const auto channel = static_cast<std::int32_t>(v * kScales.channel_from_value[m] + 0.5f);
      const float off = static_cast<float>(channel) * kScales.value_from_channel[m] - v;
      errors[m] += w * off * off;
    }
  }
  const auto nearest_m = std::min_element(errors.begin() + static_cast<std::ptrdiff_t>(first), errors.end());
  const auto m = static_cast<std::uint32_t>(nearest_m - errors.begin());
  const double factor = unorm_max(kBits) / m;
  return unorm(held.x * factor, 8) | unorm(held.y * factor, 8) << 8 | unorm(held.z * factor, 8) << 16 | m << 24;
}

glm::dvec3 decode_rgbm(std::uint32_t word, int m_bits) {
  const std::uint32_t m = field(word, 24, m_bits);
  return {rgbm_value(field(word, 0, 8), m, m_bits), rgbm_value(field(word, 8, 8), m, m_bits),
          rgbm_value(field(word, 16, 8), m, m_bits)};
}

template <int kBits>
std::uint32_t encode_rgbm_direction(const glm::dvec3& direction) {
  return encode_rgbm<kBits>(direction * 0.5 + 0.5, glm::dvec3(1.0));
}
glm::dvec3 decode_rgbm_direction(std::uint32_t word, int m_bits) { return decode_rgbm(word, m_bits) * 2.0 - 1.0; }

void encode_rgbm_vertex(const VertexSample& sample, const ClipRange& range, bool tangents, Words words) {
  words[0] = encode_rgbm<8>(in_box(sample.position, range), range.pivot_size);
  words[1] = encode_rgbm_direction<8>(sample.normal);
  if (tangents) words[2] = encode_rgbm_direction<7>(glm::dvec3(sample.tangent)) | side_bit(sample.tangent);
}

VertexSample decode_rgbm_vertex(ConstWords words, const ClipRange& range, bool tangents) {
  VertexSample sample;
  sample.position = from_box(decode_rgbm(words[0], 8), range);
  sample.normal = decode_rgbm_direction(words[1], 8);
  if (tangents) sample.tangent = glm::dvec4(decode_rgbm_direction(words[2], 7), side_from(words[2]));
  return sample;
}

}  // namespace

extern const EncodingEntry kRgbm;
const EncodingEntry kRgbm{
    .info = {.encoding = Encoding::rgbm,
             .name = "rgbm",
             .holds = "any vertices",
             .kind = ItemKind::vertex,
             .words = 2,
             .tangent_words = 1,
             .texel_words = 1},
    .encode_vertex = encode_rgbm_vertex,
    .decode_vertex = decode_rgbm_vertex,
};

}  // namespace throng::detail::character
