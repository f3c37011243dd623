// SPDX-License-Identifier: Apache-2.0
// q12: smallest-three quaternion of 15 bits, position of 16 bits; one scale a clip.
//
//   word  bits
//   0     0–15 position x u16 · 16–30 a s15 · 31 out, its low bit
//   1     0–15 position y u16 · 16–30 b s15 · 31 out, its high bit
//   2     0–15 position z u16 · 16–30 c s15 · 31 is 0
#include "encodings/bits_quaternion.h"
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"

namespace throng::detail::character {
namespace {

using namespace bits;

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

}  // namespace

extern const EncodingEntry kQ12;
const EncodingEntry kQ12{
    .info = {.encoding = Encoding::q12,
             .name = "q12",
             .holds = "rotation, translation and one scale for all of a clip",
             .kind = ItemKind::bone,
             .words = 3,
             .pivots = true,
             .one_scale = true},
    .encode_bone = encode_q12,
    .decode_bone = decode_q12,
};

}  // namespace throng::detail::character
