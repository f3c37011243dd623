// SPDX-License-Identifier: Apache-2.0
// q16: SNORM16 quaternion, UNORM16 position in the clip's box, UNORM16 scale.
//
//   word  bits
//   0     0–15 x s16 · 16–31 y s16     (of the quaternion)
//   1     0–15 z s16 · 16–31 w s16
//   2     0–15 position x u16 · 16–31 position y u16
//   3     0–15 position z u16 · 16–31 scale u16
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/frame_checks.h"
#include "encodings/words16.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_q16(const BoneSample& sample, const ClipRange& range, Words words) {
  write_quaternion(sample.rotation, words);
  write_unorm16(glm::dvec4(in_box(sample.position, range), fraction_of(sample.scale, range.scale_max)),
                words.subspan(2));
}

BoneSample decode_q16(ConstWords words, const ClipRange& range) {
  const glm::dvec4 fraction = read_unorm16(words.subspan(2));
  return {read_quaternion(words), from_box(glm::dvec3(fraction), range), fraction.w * range.scale_max};
}

std::string_view refuse_frame(ConstWords frame, std::size_t rotations) {
  return quaternions_unit(frame, 4, rotations) ? std::string_view() : kNotUnit;
}

}  // namespace

extern const EncodingEntry kQ16;
const EncodingEntry kQ16{
    .info = {.encoding = Encoding::q16,
             .name = "q16",
             .holds = "rotation, translation and uniform scale",
             .kind = ItemKind::bone,
             .words = 4,
             .pivots = true,
             .signed_fields = true,
             .scale = ScaleField{3, 0xFFFF0000u}},
    .encode_bone = encode_q16,
    .decode_bone = decode_q16,
    .refuse_frame = refuse_frame,
};

}  // namespace throng::detail::character
