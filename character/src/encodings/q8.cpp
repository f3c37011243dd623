// SPDX-License-Identifier: Apache-2.0
// q8: smallest-three quaternion of 11 bits, position 10/10/9 in the column's box, counted from the origin in the
// frame's header; one scale a clip.
//
//   word  bits
//   0     0–10 a s11 · 11–21 b s11 · 22–31 position x u10
//   1     0–10 c s11 · 11–12 out · 13–22 position y u10 · 23–31 position z u9
#include <algorithm>
#include <bit>
#include <cmath>

#include "check/values.h"
#include "encodings/bits_quaternion.h"
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"

namespace throng::detail::character {
namespace {

using namespace bits;

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

std::string_view refuse_frame(ConstWords frame, std::size_t) {
  const bool near = std::all_of(frame.begin(), frame.begin() + 3, [](std::uint32_t word) {
    return std::abs(std::bit_cast<float>(word)) <= kFarthest;  // false for NaN
  });
  return near ? std::string_view() : "has an origin that is not finite";
}

}  // namespace

extern const EncodingEntry kQ8;
const EncodingEntry kQ8{
    .info = {.encoding = Encoding::q8,
             .name = "q8",
             .holds = "rotation, translation and one scale for all of a clip",
             .kind = ItemKind::bone,
             .words = 2,
             .header_words = 4,
             .pivots = true,
             .column_boxes = true,
             .one_scale = true},
    .encode_bone = encode_q8,
    .decode_bone = decode_q8,
    .refuse_frame = refuse_frame,
};

}  // namespace throng::detail::character
