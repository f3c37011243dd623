// SPDX-License-Identifier: Apache-2.0
// x16: smallest-three quaternion of 18 bits, position of 20 bits, scale of 12 bits.
//
//   word  bits
//   0     0–17 a s18 · 18–31 position y u20, its low 14 bits
//   1     0–17 b s18 · 18–31 position z u20, its low 14 bits
//   2     0–17 c s18 · 18–23 position y, high 6 · 24–29 position z, high 6 · 30–31 out
//   3     0–19 position x u20 · 20–31 scale u12
#include "encodings/bits_quaternion.h"
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"

namespace throng::detail::character {
namespace {

using namespace bits;

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

}  // namespace

extern const EncodingEntry kX16;
const EncodingEntry kX16{
    .info = {.encoding = Encoding::x16,
             .name = "x16",
             .holds = "rotation, translation and uniform scale",
             .kind = ItemKind::bone,
             .words = 4,
             .pivots = true,
             .scale = ScaleField{3, 0xFFF00000u}},
    .encode_bone = encode_x16,
    .decode_bone = decode_x16,
};

}  // namespace throng::detail::character
