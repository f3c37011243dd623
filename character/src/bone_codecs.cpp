#include "throng/character/bone_codecs.h"

#include "bits.h"
#include "bits_quaternion.h"
#include "bits_vectors.h"

namespace throng {
namespace {

using namespace bits;

using Words = std::span<std::uint32_t>;
using ConstWords = std::span<const std::uint32_t>;

void write_quaternion(const glm::dquat& q, Words words) {
  words[0] = pair(snorm(q.x, 16), snorm(q.y, 16));
  words[1] = pair(snorm(q.z, 16), snorm(q.w, 16));
}

glm::dquat read_quaternion(ConstWords words) {
  return {from_snorm(words[1] >> 16, 16), from_snorm(words[0], 16), from_snorm(words[0] >> 16, 16),
          from_snorm(words[1], 16)};
}

void write_unorm16(const glm::dvec4& fraction, Words words) {
  words[0] = pair(unorm(fraction.x, 16), unorm(fraction.y, 16));
  words[1] = pair(unorm(fraction.z, 16), unorm(fraction.w, 16));
}

glm::dvec4 read_unorm16(ConstWords words) {
  return {from_unorm(words[0], 16), from_unorm(words[0] >> 16, 16), from_unorm(words[1], 16),
          from_unorm(words[1] >> 16, 16)};
}

void encode_q16(const BoneSample& sample, const ClipRange& range, Words words) {
  write_quaternion(sample.rotation, words);
  write_unorm16(glm::dvec4(in_box(sample.position, range), fraction_of(sample.scale, range.scale_max)),
                words.subspan(2));
}

BoneSample decode_q16(ConstWords words, const ClipRange& range) {
  const glm::dvec4 fraction = read_unorm16(words.subspan(2));
  return {read_quaternion(words), from_box(glm::dvec3(fraction), range), fraction.w * range.scale_max};
}

void encode_x16(const BoneSample& sample, const ClipRange& range, Words words) {
  const SmallestThree q = encode_smallest_three(sample.rotation, 18);
  const glm::dvec3 p = in_box(sample.position, range);
  const std::uint32_t y = unorm(p.y, 20);
  const std::uint32_t z = unorm(p.z, 20);
  words[0] = q.fields[0] | field(y, 0, 14) << 18;
  words[1] = q.fields[1] | field(z, 0, 14) << 18;
  words[2] = q.fields[2] | field(y, 14, 6) << 18 | field(z, 14, 6) << 24 | q.left_out << 30;
  words[3] = unorm(p.x, 20) | unorm(fraction_of(sample.scale, range.scale_max), 12) << 20;
}

BoneSample decode_x16(ConstWords words, const ClipRange& range) {
  const SmallestThree q{{field(words[0], 0, 18), field(words[1], 0, 18), field(words[2], 0, 18)}, words[2] >> 30};
  const glm::dvec3 p(from_unorm(words[3], 20), from_unorm(words[0] >> 18 | field(words[2], 18, 6) << 14, 20),
                     from_unorm(words[1] >> 18 | field(words[2], 24, 6) << 14, 20));
  return {decode_smallest_three(q, 18), from_box(p, range), from_unorm(words[3] >> 20, 12) * range.scale_max};
}

void encode_q12(const BoneSample& sample, const ClipRange& range, Words words) {
  const SmallestThree q = encode_smallest_three(sample.rotation, 15);
  const glm::dvec3 p = in_box(sample.position, range);
  words[0] = unorm(p.x, 16) | q.fields[0] << 16 | field(q.left_out, 0, 1) << 31;
  words[1] = unorm(p.y, 16) | q.fields[1] << 16 | field(q.left_out, 1, 1) << 31;
  words[2] = unorm(p.z, 16) | q.fields[2] << 16;
}

BoneSample decode_q12(ConstWords words, const ClipRange& range) {
  const SmallestThree q{{field(words[0], 16, 15), field(words[1], 16, 15), field(words[2], 16, 15)},
                        words[0] >> 31 | words[1] >> 31 << 1};
  const glm::dvec3 p(from_unorm(words[0], 16), from_unorm(words[1], 16), from_unorm(words[2], 16));
  return {decode_smallest_three(q, 15), from_box(p, range), range.scale_max};
}

void encode_q8(const BoneSample& sample, const ClipRange& range, Words words) {
  const SmallestThree q = encode_smallest_three(sample.rotation, 11);
  const glm::dvec3 p = in_box(sample.position, range);
  words[0] = q.fields[0] | q.fields[1] << 11 | unorm(p.x, 10) << 22;
  words[1] = q.fields[2] | q.left_out << 11 | unorm(p.y, 10) << 13 | unorm(p.z, 9) << 23;
}

BoneSample decode_q8(ConstWords words, const ClipRange& range) {
  const SmallestThree q{{field(words[0], 0, 11), field(words[0], 11, 11), field(words[1], 0, 11)},
                        field(words[1], 11, 2)};
  const glm::dvec3 p(from_unorm(words[0] >> 22, 10), from_unorm(words[1] >> 13, 10), from_unorm(words[1] >> 23, 9));
  return {decode_smallest_three(q, 11), from_box(p, range), range.scale_max};
}

void encode_half_quaternion(const BoneSample& sample, Words words) {
  const glm::dquat& q = sample.rotation;
  write_halves({q.x, q.y, q.z, q.w}, words);
  write_halves(glm::dvec4(sample.position, sample.scale), words.subspan(2));
}

BoneSample decode_half_quaternion(ConstWords words) {
  const glm::dvec4 q = read_halves(words);
  const glm::dvec4 t = read_halves(words.subspan(2));
  return {glm::dquat(q.w, q.x, q.y, q.z), glm::dvec3(t), t.w};
}

}  // namespace

void encode_bone(Encoding encoding, const BoneSample& sample, const ClipRange& range, Words words) {
  switch (encoding) {
    case Encoding::x16:
      return encode_x16(sample, range, words);
    case Encoding::q12:
      return encode_q12(sample, range, words);
    case Encoding::q8:
      return encode_q8(sample, range, words);
    case Encoding::half_quaternion:
      return encode_half_quaternion(sample, words);
    default:
      return encode_q16(sample, range, words);
  }
}

BoneSample decode_bone(Encoding encoding, ConstWords words, const ClipRange& range) {
  switch (encoding) {
    case Encoding::x16:
      return decode_x16(words, range);
    case Encoding::q12:
      return decode_q12(words, range);
    case Encoding::q8:
      return decode_q8(words, range);
    case Encoding::half_quaternion:
      return decode_half_quaternion(words);
    default:
      return decode_q16(words, range);
  }
}

void encode_affine(Encoding encoding, const AffineSample& sample, const ClipRange& range, Words words) {
  const glm::dvec3 p = in_box(sample.position, range);
  for (int row = 0; row < 3; ++row) {
    const glm::dvec3 entries(sample.linear[0][row], sample.linear[1][row], sample.linear[2][row]);
    const Words two = words.subspan(static_cast<std::size_t>(row) * 2, 2);
    if (encoding == Encoding::half_rows) {
      write_halves(glm::dvec4(entries, sample.position[row]), two);
      continue;
    }
    two[0] =
        pair(snorm(fraction_of(entries.x, range.scale_max), 16), snorm(fraction_of(entries.y, range.scale_max), 16));
    two[1] = pair(snorm(fraction_of(entries.z, range.scale_max), 16), unorm(p[row], 16));
  }
}

AffineSample decode_affine(Encoding encoding, ConstWords words, const ClipRange& range) {
  AffineSample sample;
  for (int row = 0; row < 3; ++row) {
    const ConstWords two = words.subspan(static_cast<std::size_t>(row) * 2, 2);
    glm::dvec4 entries;
    if (encoding == Encoding::half_rows) {
      entries = read_halves(two);
    } else {
      entries = glm::dvec4(
          glm::dvec3(from_snorm(two[0], 16), from_snorm(two[0] >> 16, 16), from_snorm(two[1], 16)) * range.scale_max,
          range.pivot_min[row] + from_unorm(two[1] >> 16, 16) * range.pivot_size[row]);
    }
    for (int column = 0; column < 3; ++column) sample.linear[column][row] = entries[column];
    sample.position[row] = entries.w;
  }
  return sample;
}

void encode_rotation_slot(const glm::dquat& rotation, std::span<std::uint32_t, 2> words) {
  write_quaternion(rotation, words);
}

glm::dquat decode_rotation_slot(std::span<const std::uint32_t, 2> words) { return read_quaternion(words); }

void encode_translation_slot(const glm::dvec3& translation, double scale, const SlotRange& range,
                             std::span<std::uint32_t, 2> words) {
  const glm::dvec4 value(translation, scale);
  glm::dvec4 fraction;
  for (int i = 0; i < 4; ++i) fraction[i] = fraction_of(value[i] - range.min[i], range.size[i]);
  write_unorm16(fraction, words);
}

glm::dvec4 decode_translation_slot(std::span<const std::uint32_t, 2> words, const SlotRange& range) {
  return range.min + read_unorm16(words) * range.size;
}

BoneSample interpolate(const BoneSample& from, const BoneSample& to, double blend) {
  const double side = glm::dot(from.rotation, to.rotation) < 0.0 ? -1.0 : 1.0;
  const glm::dquat mixed = from.rotation * (1.0 - blend) + to.rotation * (side * blend);
  const double length = glm::length(mixed);
  BoneSample sample;
  if (length > 0.0) sample.rotation = mixed / length;
  sample.position = glm::mix(from.position, to.position, blend);
  sample.scale = glm::mix(from.scale, to.scale, blend);
  return sample;
}

AffineSample interpolate(const AffineSample& from, const AffineSample& to, double blend) {
  return {from.linear * (1.0 - blend) + to.linear * blend, glm::mix(from.position, to.position, blend)};
}

}  // namespace throng
