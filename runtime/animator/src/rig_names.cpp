#include "rig_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace throng {
namespace {

constexpr std::size_t kMostNamed = 3;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Letters to add, leave out or exchange to get from one name to the other, whatever their case.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row.back();
}

}  // namespace

std::string_view short_name(std::string_view name) {
  const std::size_t at = name.find_last_of(":|");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

std::string spelled_like(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& other : names) {
    ranked.emplace_back(std::min(letters_apart(name, other), letters_apart(name, short_name(other))), other);
  }
  const std::size_t shown = std::min(kMostNamed, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), ranked.end());
  if (ranked.empty()) return "none";
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < shown; ++i) nearest.push_back(ranked[i].second);
  return fmt::format("'{}'", fmt::join(nearest, "', '"));
}

}  // namespace throng
