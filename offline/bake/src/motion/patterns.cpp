#include "motion/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace throng::detail::bake {
namespace {

constexpr std::size_t kLongestCompared = 128;  // names longer than this are told apart by their beginnings

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Names are UTF-8.
std::size_t next_character(std::string_view name, std::size_t at) {
  const auto goes_on = [&](std::size_t i) { return (static_cast<unsigned char>(name[i]) & 0xc0u) == 0x80u; };
  for (++at; at < name.size() && goes_on(at);) ++at;
  return at;
}

// Letters to change, add or take away to get from one to the other, case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestCompared);
  b = b.substr(0, kLongestCompared);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last one seen, and where what it stands for ends
  std::size_t taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      n = next_character(name, n);
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<bool> chosen_by(std::string_view pattern, const std::vector<std::string>& names) {
  const bool spelled = std::find(names.begin(), names.end(), pattern) != names.end();
  std::vector<bool> chosen(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) chosen[i] = spelled ? names[i] == pattern : matches(pattern, names[i]);
  return chosen;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  if (names.empty()) return "none";
  const auto shown = static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  const std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  return names.size() <= most ? text : fmt::format("{} and {} more", text, names.size() - most);
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& names, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& other : names) ranked.emplace_back(edit_distance(name, other), other);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) nearest.push_back(std::move(ranked[i].second));
  return nearest;
}

}  // namespace throng::detail::bake
