// SPDX-License-Identifier: Apache-2.0
#include "throng/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace throng {
namespace {

constexpr std::size_t kLongestCompared = 128;  // bytes; comparing takes the product of both lengths

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string comparable(std::string_view name) { return lower(without_namespace(name).substr(0, kLongestCompared)); }

// Damerau's and Levenshtein's distance: letters to change, add, leave out or swap with their neighbour.
std::size_t edits_between(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> edits((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return edits[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({changed, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return edits.back();
}

// A character of UTF-8 and the bytes it takes. What is none is one byte, of no value.
struct Utf8Character {
  std::optional<char32_t> value;
  std::size_t bytes = 1;
};

Utf8Character first_character(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  char32_t value = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  const bool too_long = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (too_long || surrogate || value > 0x10FFFF) return {};
  return {value, bytes};
}

struct CharacterRange {
  char32_t first, last;
};

bool within(char32_t character, std::span<const CharacterRange> ranges) {
  return std::ranges::any_of(ranges,
                             [&](const CharacterRange& r) { return character >= r.first && character <= r.last; });
}

// What does something to a terminal or to the text around it instead of being seen.
constexpr std::array<CharacterRange, 9> kUnprintable{{{0x00, 0x1F},      // C0
                                                      {0x7F, 0x9F},      // DEL and C1
                                                      {0x61C, 0x61C},    // bidirectional: a mark,
                                                      {0x200E, 0x200F},  // marks,
                                                      {0x2028, 0x202E},  // separators of lines; embeddings, overrides
                                                      {0x2066, 0x2069},  // and isolates
                                                      {0xFEFF, 0xFEFF},  // the byte order mark
                                                      {0xFFF9, 0xFFFB},  // annotations
                                                      {0xE0000, 0xE007F}}};  // tags

constexpr std::array<CharacterRange, 9> kWide{{{0x1100, 0x115F},
                                               {0x2E80, 0x303E},
                                               {0x3041, 0xA4CF},
                                               {0xAC00, 0xD7A3},
                                               {0xF900, 0xFAFF},
                                               {0xFE30, 0xFE6F},
                                               {0xFF00, 0xFF60},
                                               {0x1F300, 0x1FAFF},
                                               {0x20000, 0x3FFFD}}};
constexpr std::array<CharacterRange, 5> kCombining{
    {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

// The text with what cannot be printed replaced by what `spell` says of it. Bytes that are no UTF-8 have no value.
template <class Spell>
std::string without_unprintable(std::string_view text, const Spell& spell) {
  std::string out;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    if (next.value && !within(*next.value, kUnprintable)) {
      out += text.substr(0, next.bytes);
    } else {
      out += spell(next.value, static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

bool holds(const std::string& name, const std::string& part) {
  return !part.empty() && name.find(part) != std::string::npos;
}

}  // namespace

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", grouped(count), singular)
                        : fmt::format("{} {}", grouped(count), plural);
}

std::string in_number(std::uint64_t count, std::string_view sentence) {
  std::string text = grouped(count) + " ";
  for (std::size_t begin = sentence.find('['); begin != std::string_view::npos; begin = sentence.find('[')) {
    const std::size_t middle = sentence.find('|', begin), end = sentence.find(']', begin);
    text += sentence.substr(0, begin);
    text += count == 1 ? sentence.substr(begin + 1, middle - begin - 1) : sentence.substr(middle + 1, end - middle - 1);
    sentence.remove_prefix(end + 1);
  }
  return text.append(sentence);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower_letter(c);
  return out;
}

std::string_view without_namespace(std::string_view name) {
  const std::size_t last = name.find_last_of(":|");
  return last == std::string_view::npos ? name : name.substr(last + 1);
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  if (names.empty()) return "none";
  std::string text;
  for (const std::string& name : names.first(std::min(names.size(), most)))
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string joined(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

constexpr std::size_t kTelling = 3;  // letters of a name within what was wanted; fewer are there by chance

std::vector<std::string> near_matches(std::string_view wanted, std::span<const std::string> names, std::size_t most) {
  const std::string a = comparable(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // edits, which name
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string b = comparable(names[i]);
    const std::size_t edits = edits_between(a, b);
    const std::size_t few = std::max(a.size(), b.size()) / 3;
    if (edits <= few || (b.size() >= kTelling && holds(a, b)) || holds(b, a)) ranked.emplace_back(edits, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (const auto& [edits, i] : ranked) {
    if (nearest.size() == most) break;
    if (std::ranges::find(nearest, names[i]) == nearest.end()) nearest.push_back(names[i]);
  }
  return nearest;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names) {
  const std::vector<std::string> near = near_matches(wanted, names);
  if (near.empty()) return fmt::format("there are {}", listed(names));
  std::vector<std::string> quoted;
  for (const std::string& name : near) quoted.push_back(fmt::format("'{}'", name));
  return fmt::format("did you mean {}?", joined(quoted, "or"));
}

std::string printable(std::string_view text) {
  return without_unprintable(text, [](std::optional<char32_t> value, unsigned char byte) {
    if (!value || *value < 0x100) return fmt::format("\\x{:02x}", value ? static_cast<std::uint32_t>(*value) : byte);
    const auto number = static_cast<std::uint32_t>(*value);
    return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
  });
}

std::string printable_json(std::string_view json) {
  return without_unprintable(json, [](std::optional<char32_t> value, unsigned char) -> std::string {
    constexpr char32_t kAstral = 0x10000;
    if (value == U'\n') return "\n";  // between its values; in them it is written out already
    if (!value) return "\uFFFD";
    const auto number = static_cast<std::uint32_t>(*value);
    if (number < kAstral) return fmt::format("\\u{:04x}", number);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800u + ((number - kAstral) >> 10),
                       0xDC00u + ((number - kAstral) & 0x3FFu));
  });
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    const char32_t value = next.value.value_or(U'?');
    columns += within(value, kWide) ? 2 : within(value, kCombining) ? 0 : 1;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string one_line(std::string text) {
  constexpr std::size_t kLongest = 600;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  // The later bytes of a UTF-8 character all start with the bits 10.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace throng
