// SPDX-License-Identifier: Apache-2.0
// local8: movements relative to the parent, a slot for what moves; needs a pose pass.
//
//   word  bits
//   0, 1  a rotation slot: as words 0 and 1 of q16
//   0, 1  a translation slot: as words 2 and 3 of q16, all four min + size · u of the slot
#include "encodings/entry.h"
#include "encodings/frame_checks.h"
#include "encodings/words16.h"

namespace throng {
namespace detail::character {
namespace {

std::string_view refuse_frame(ConstWords frame, std::size_t rotations) {
  return quaternions_unit(frame, 2, rotations) ? std::string_view() : kNotUnit;
}

}  // namespace

extern const EncodingEntry kLocal8;
const EncodingEntry kLocal8{
    .info = {.encoding = Encoding::local8,
             .name = "local8",
             .holds = "chains of rotation, translation and uniform scale",
             .kind = ItemKind::slot,
             .words = 2,
             .slot_boxes = true,
             .signed_fields = true},
    .refuse_frame = refuse_frame,
};

}  // namespace detail::character

void encode_rotation_slot(const glm::dquat& rotation, std::span<std::uint32_t, 2> words) {
  detail::character::write_quaternion(rotation, words);
}

glm::dquat decode_rotation_slot(std::span<const std::uint32_t, 2> words) {
  return detail::character::read_quaternion(words);
}

void encode_translation_slot(const glm::dvec3& translation, double scale, const SlotRange& range,
                             std::span<std::uint32_t, 2> words) {
  const glm::dvec4 value(translation, scale);
  glm::dvec4 fraction;
  for (int i = 0; i < 4; ++i)
    fraction[i] = detail::character::bits::fraction_of(value[i] - range.min[i], range.size[i]);
  detail::character::write_unorm16(fraction, words);
}

glm::dvec4 decode_translation_slot(std::span<const std::uint32_t, 2> words, const SlotRange& range) {
  return range.min + detail::character::read_unorm16(words) * range.size;
}

}  // namespace throng
