// SPDX-License-Identifier: Apache-2.0
// half-quaternion: the classic 2 × RGBA16F.
//
//   word  bits
//   0, 1  RGBA16F: quaternion x y z w            (word 0: r 0–15, g 16–31; word 1: b, a)
//   2, 3  RGBA16F: position x y z, scale
#include "check/values.h"
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/frame_checks.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_half_quaternion(const BoneSample& sample, const ClipRange&, Words words) {
  const glm::dquat& q = sample.rotation;
  write_halves({q.x, q.y, q.z, q.w}, words);
  write_halves(glm::dvec4(sample.position, sample.scale), words.subspan(2));
}

BoneSample decode_half_quaternion(ConstWords words, const ClipRange&) {
  const glm::dvec4 q = read_halves(words);
  const glm::dvec4 t = read_halves(words.subspan(2));
  return {glm::dquat(q.w, q.x, q.y, q.z), glm::dvec3(t), t.w};
}

std::string_view refuse_frame(ConstWords frame, std::size_t rotations) {
  if (const std::string_view wrong = refuse_halves(frame, rotations); !wrong.empty()) return wrong;
  for (std::size_t i = 0; i < rotations; ++i) {
    if (!is_unit(decode_half_quaternion(frame.subspan(4 * i, 4), {}).rotation)) return kNotUnit;
  }
  return {};
}

}  // namespace

extern const EncodingEntry kHalfQuaternion;
const EncodingEntry kHalfQuaternion{
    .info = {.encoding = Encoding::half_quaternion,
             .name = "half-quaternion",
             .holds = "rotation, translation and uniform scale",
             .kind = ItemKind::bone,
             .words = 4,
             .pivots = true,
             .texel_words = 2,
             .half = true,
             .scale = ScaleField{3, 0xFFFF0000u, 0x80000000u}},
    .encode_bone = encode_half_quaternion,
    .decode_bone = decode_half_quaternion,
    .refuse_frame = refuse_frame,
};

}  // namespace throng::detail::character
