// SPDX-License-Identifier: Apache-2.0
#include "core/shortened.h"

namespace throng::studio {
namespace {

constexpr std::string_view kCut = "…";

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

// The bytes of the first `letters` letters, and where the last so many begin.
std::size_t end_of_first(std::string_view text, std::size_t letters) {
  std::size_t at = 0;
  while (at < text.size() && letters > 0) {
    ++at;
    while (at < text.size() && !begins_letter(text[at])) ++at;
    --letters;
  }
  return at;
}

std::size_t begin_of_last(std::string_view text, std::size_t letters) {
  std::size_t at = text.size();
  while (at > 0 && letters > 0) {
    --at;
    while (at > 0 && !begins_letter(text[at])) --at;
    --letters;
  }
  return at;
}

std::size_t count_letters(std::string_view text) {
  std::size_t letters = 0;
  for (const char c : text) letters += begins_letter(c) ? 1 : 0;
  return letters;
}

}  // namespace

std::string shortened_name(const std::string& name, float room, const TextWidth& width) {
  const std::size_t letters = count_letters(name);
  if (letters == 0 || width(name) <= room) return name;
  // The most letters that fit, more of them at the end.
  for (std::size_t kept = letters - 1; kept > 1; --kept) {
    const std::size_t front = kept * 2 / 5;
    std::string cut = name.substr(0, end_of_first(name, front));
    cut += kCut;
    cut += name.substr(begin_of_last(name, kept - front));
    if (width(cut) <= room) return cut;
  }
  return std::string(kCut);
}

std::string shortened_end(const std::string& text, float room, const TextWidth& width) {
  if (width(text) <= room) return text;
  std::size_t least = 0;  // letters that fit
  std::size_t most = count_letters(text);
  const auto cut = [&](std::size_t letters) { return text.substr(0, end_of_first(text, letters)) + std::string(kCut); };
  while (most - least > 1) {
    const std::size_t middle = (least + most) / 2;
    (width(cut(middle)) <= room ? least : most) = middle;
  }
  return cut(least);
}

std::string shortened_path(const std::string& path, float room, const TextWidth& width) {
  if (width(path) <= room) return path;
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    std::string cut(kCut);
    cut += path.substr(slash);
    if (width(cut) <= room) return cut;
  }
  const std::size_t last = path.rfind('/');
  return shortened_name(last == std::string::npos ? path : path.substr(last + 1), room, width);
}

}  // namespace throng::studio
