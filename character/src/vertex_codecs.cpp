#include "throng/character/vertex_codecs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bits.h"
#include "bits_octahedral.h"
#include "bits_vectors.h"

namespace throng {
namespace {

using namespace bits;

using Words = std::span<std::uint32_t>;
using ConstWords = std::span<const std::uint32_t>;

constexpr std::uint32_t kLeftSide = 1u << 31;  // of a tangent whose w is −1

std::uint32_t side_bit(const glm::dvec4& tangent) { return tangent.w < 0.0 ? kLeftSide : 0u; }
double side_from(std::uint32_t word) { return (word & kLeftSide) != 0 ? -1.0 : 1.0; }

void encode_v8(const VertexSample& sample, const ClipRange& range, bool tangents, Words words) {
  const glm::dvec3 p = in_box(sample.position, range);
  const std::uint32_t z = unorm(p.z, 14);
  const Octahedral normal = encode_octahedral(sample.normal, 11);
  words[0] = unorm(p.x, 14) | normal.u << 14 | field(z, 0, 7) << 25;
  words[1] = unorm(p.y, 14) | normal.v << 14 | field(z, 7, 7) << 25;
  if (!tangents) return;
  const Octahedral tangent = encode_octahedral(glm::dvec3(sample.tangent), 15);
  words[2] = tangent.u | tangent.v << 15 | side_bit(sample.tangent);
}

VertexSample decode_v8(ConstWords words, const ClipRange& range, bool tangents) {
  const glm::dvec3 p(from_unorm(words[0], 14), from_unorm(words[1], 14),
                     from_unorm(words[0] >> 25 | words[1] >> 25 << 7, 14));
  VertexSample sample;
  sample.position = from_box(p, range);
  sample.normal = decode_octahedral({field(words[0], 14, 11), field(words[1], 14, 11)}, 11);
  if (tangents)
    sample.tangent =
        glm::dvec4(decode_octahedral({field(words[2], 0, 15), field(words[2], 15, 15)}, 15), side_from(words[2]));
  return sample;
}

void encode_half_vertex(const VertexSample& sample, bool tangents, Words words) {
  write_halves(glm::dvec4(sample.position, 0.0), words);
  write_halves(glm::dvec4(sample.normal, 0.0), words.subspan(2));
  if (tangents)
    write_halves(glm::dvec4(glm::dvec3(sample.tangent), sample.tangent.w < 0.0 ? -1.0 : 1.0), words.subspan(4));
}

VertexSample decode_half_vertex(ConstWords words, bool tangents) {
  VertexSample sample;
  sample.position = glm::dvec3(read_halves(words));
  sample.normal = glm::dvec3(read_halves(words.subspan(2)));
  if (tangents) {
    const glm::dvec4 tangent = read_halves(words.subspan(4));
    sample.tangent = glm::dvec4(glm::dvec3(tangent), tangent.w < 0.0 ? -1.0 : 1.0);
  }
  return sample;
}

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

glm::dvec3 mixed_direction(const glm::dvec3& from, const glm::dvec3& to, double blend) {
  const glm::dvec3 mixed = glm::mix(from, to, blend);
  const double length = glm::length(mixed);
  return length > 0.0 ? mixed / length : from;
}

}  // namespace

void encode_vertex(Encoding encoding, const VertexSample& sample, const ClipRange& range, bool tangents, Words words) {
  switch (encoding) {
    case Encoding::half_vertex:
      return encode_half_vertex(sample, tangents, words);
    case Encoding::rgbm:
      return encode_rgbm_vertex(sample, range, tangents, words);
    default:
      return encode_v8(sample, range, tangents, words);
  }
}

VertexSample decode_vertex(Encoding encoding, ConstWords words, const ClipRange& range, bool tangents) {
  switch (encoding) {
    case Encoding::half_vertex:
      return decode_half_vertex(words, tangents);
    case Encoding::rgbm:
      return decode_rgbm_vertex(words, range, tangents);
    default:
      return decode_v8(words, range, tangents);
  }
}

VertexSample interpolate(const VertexSample& from, const VertexSample& to, double blend) {
  VertexSample sample;
  sample.position = glm::mix(from.position, to.position, blend);
  sample.normal = mixed_direction(from.normal, to.normal, blend);
  const glm::dvec3 tangent = mixed_direction(glm::dvec3(from.tangent), glm::dvec3(to.tangent), blend);
  sample.tangent = glm::dvec4(tangent, from.tangent.w);
  return sample;
}

}  // namespace throng
