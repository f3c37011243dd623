#include "throng/asset/vertex_codecs.h"

#include <cmath>
#include <limits>

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

// Three values from 0 to 1 as rgb · m. Of the multipliers that keep rgb within 1, the one that comes nearest, where
// each axis counts by its weight.
std::uint32_t encode_rgbm(const glm::dvec3& value, const glm::dvec3& weight, int m_bits) {
  const double m_max = unorm_max(m_bits);
  const double largest = clamped(std::max(value.x, std::max(value.y, value.z)), 0.0, 1.0);
  // What was decoded must find its own multiplier again: a little less than whole is whole.
  const auto first = static_cast<std::uint32_t>(std::max(std::ceil(largest * m_max - 1e-6), 1.0));
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t best = 0;
  for (std::uint32_t m = first; m <= mask(m_bits); ++m) {
    const double factor = m / m_max;
    std::uint32_t word = m << 24;
    double error = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t c = unorm(value[axis] / factor, 8);
      const double off = weight[axis] * (from_unorm(c, 8) * factor - value[axis]);
      error += off * off;
      word |= c << (8 * axis);
    }
    if (error >= least) continue;
    least = error;
    best = word;
  }
  return best;
}

glm::dvec3 decode_rgbm(std::uint32_t word, int m_bits) {
  return glm::dvec3(from_unorm(word, 8), from_unorm(word >> 8, 8), from_unorm(word >> 16, 8)) *
         from_unorm(word >> 24, m_bits);
}

std::uint32_t encode_rgbm_direction(const glm::dvec3& direction, int m_bits) {
  return encode_rgbm(direction * 0.5 + 0.5, glm::dvec3(1.0), m_bits);
}
glm::dvec3 decode_rgbm_direction(std::uint32_t word, int m_bits) { return decode_rgbm(word, m_bits) * 2.0 - 1.0; }

void encode_rgbm_vertex(const VertexSample& sample, const ClipRange& range, bool tangents, Words words) {
  words[0] = encode_rgbm(in_box(sample.position, range), range.pivot_size, 8);
  words[1] = encode_rgbm_direction(sample.normal, 8);
  if (tangents) words[2] = encode_rgbm_direction(glm::dvec3(sample.tangent), 7) | side_bit(sample.tangent);
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
