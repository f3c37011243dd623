// SPDX-License-Identifier: Apache-2.0
// Every encoding there is. CONTRIBUTING.md lists what a new one touches.
#include <array>

#include "encodings/entry.h"

namespace throng {
namespace detail::character {

extern const EncodingEntry kQ16, kX16, kQ12, kQ8, kRows, kHalfQuaternion, kHalfRows, kLocal8;
extern const EncodingEntry kV8, kHalfVertex, kRgbm, kLocalv;

namespace {

// Each stands where its number in throng/shaders/shared/encodings.h says.
constexpr std::array kEntries{&kQ16,      &kX16,    &kQ12, &kQ8,         &kRows, &kHalfQuaternion,
                              &kHalfRows, &kLocal8, &kV8,  &kHalfVertex, &kRgbm, &kLocalv};
static_assert(kEntries.size() == kEncodings.size());

}  // namespace

const EncodingEntry& entry_of(Encoding encoding) { return *kEntries[static_cast<std::size_t>(encoding)]; }

}  // namespace detail::character

const EncodingInfo& info_of(Encoding encoding) { return detail::character::entry_of(encoding).info; }

std::optional<Encoding> encoding_named(std::string_view name) {
  for (const Encoding encoding : kEncodings)
    if (name_of(encoding) == name) return encoding;
  return std::nullopt;
}

std::uint32_t table_rows(Encoding encoding, std::uint32_t columns, std::uint32_t translation_slots) {
  const EncodingInfo& info = info_of(encoding);
  return (info.pivots ? columns : 0) + (info.column_boxes ? 2 * columns : 0) +
         (info.slot_boxes ? 2 * translation_slots : 0);
}

}  // namespace throng
