// SPDX-License-Identifier: Apache-2.0
#include "throng/base/text.h"

#include <fmt/format.h>

#include <algorithm>
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

bool holds(const std::string& name, const std::string& part) {
  return !part.empty() && name.find(part) != std::string::npos;
}

}  // namespace

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

std::vector<std::string> near_matches(std::string_view wanted, std::span<const std::string> names, std::size_t most) {
  const std::string a = comparable(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // edits, which name
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string b = comparable(names[i]);
    const std::size_t edits = edits_between(a, b);
    const std::size_t few = std::max(a.size(), b.size()) / 3;
    if (edits <= few || holds(a, b) || holds(b, a)) ranked.emplace_back(edits, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) nearest.push_back(names[ranked[i].second]);
  return nearest;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names) {
  const std::vector<std::string> near = near_matches(wanted, names);
  if (near.empty()) return fmt::format("there are {}", listed(names));
  std::string text = fmt::format("did you mean '{}'", near.front());
  for (std::size_t i = 1; i < near.size(); ++i)
    text += fmt::format("{} '{}'", i + 1 == near.size() ? " or" : ",", near[i]);
  return text + "?";
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
