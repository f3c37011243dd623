#include "near_match.h"

#include <algorithm>
#include <cctype>

namespace throng {
namespace {

constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kLongestCompared = 128;  // names longer than this are told apart by their beginnings

std::string lowered(std::string_view name) {
  std::string out(name.substr(0, kLongestCompared));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Letters to change, add, take away or swap with their neighbour to get from one to the other.
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
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return edits.back();
}

bool holds(const std::string& name, const std::string& part) {
  return !part.empty() && name.find(part) != std::string::npos;
}

}  // namespace

std::vector<std::string> near_matches(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string a = lowered(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // edits, which
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string b = lowered(names[i]);
    const std::size_t edits = edits_between(a, b);
    const std::size_t few = std::max(a.size(), b.size()) / 3;
    if (edits <= few || holds(a, b) || holds(b, a)) ranked.emplace_back(edits, i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min(kMostNamed, ranked.size()); ++i) nearest.push_back(names[ranked[i].second]);
  return nearest;
}

}  // namespace throng
