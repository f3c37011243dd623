// SPDX-License-Identifier: Apache-2.0
#include "fbx/file/utf8.h"

namespace throng::detail::fbx {
namespace {

// Bytes of the UTF-8 sequence that starts here, 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
  }
  // Longer than need be, half a surrogate pair, or past the last code point.
  const unsigned second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length > 0 && text[0] != '\0')
      valid.append(text.substr(0, length));
    else
      valid += '?';
    text.remove_prefix(length > 0 ? length : 1);
  }
  return valid;
}

}  // namespace throng::detail::fbx
