// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <cstdint>

namespace {

constexpr std::string_view kHere = "<!--throng-assets-->";

void append_base64(std::string& to, std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (j < count ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0u);
    for (std::size_t digit = 0; digit < 4; ++digit)
      to += digit <= count ? kDigits[three >> (18 - 6 * digit) & 63u] : '=';
  }
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string page_with(std::string_view page, std::span<const Embedded> characters) {
  const std::size_t here = page.find(kHere);
  std::size_t room = page.size();
  for (const Embedded& character : characters) room += character.bytes.size() / 3 * 4 + character.name.size() + 128;
  std::string whole;
  whole.reserve(room);
  whole += page.substr(0, here);
  for (const Embedded& character : characters) {
    whole += R"(<script type="text/plain" class="throng-asset" data-name=")";
    whole += escaped(character.name);
    whole += "\">";
    append_base64(whole, character.bytes);
    whole += "</script>\n";
  }
  whole += page.substr(std::min(here + kHere.size(), page.size()));
  return whole;
}
