// SPDX-License-Identifier: Apache-2.0
#include "throng/base/names.h"

#include <algorithm>
#include <array>

#include "throng/base/text.h"

namespace throng {
namespace {

// Names are UTF-8.
std::size_t next_character(std::string_view name, std::size_t at) {
  const auto goes_on = [&](std::size_t i) { return (static_cast<unsigned char>(name[i]) & 0xc0u) == 0x80u; };
  for (++at; at < name.size() && goes_on(at);) ++at;
  return at;
}

using Rule = bool (*)(std::string_view pattern, std::string_view name);

bool is_spelled(std::string_view pattern, std::string_view name) { return pattern == name; }

// "Jump" is "CharacterArmature|Jump" where nothing is called Jump alone: reports leave out what all names begin with.
template <Rule kRule>
bool without_its_rig(std::string_view pattern, std::string_view name) {
  const std::string_view last = without_namespace(name);
  return last.size() < name.size() && !last.empty() && kRule(pattern, last);
}

// Which names are meant, by the first of the rules that any follows.
std::vector<std::size_t> meant(std::string_view pattern, const std::vector<std::string>& names) {
  constexpr std::array<Rule, 4> kRules{is_spelled, without_its_rig<is_spelled>, matches_pattern,
                                       without_its_rig<matches_pattern>};
  std::vector<std::size_t> found;
  for (const Rule follows : kRules) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (follows(pattern, names[i])) found.push_back(i);
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view name) {
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
  std::vector<bool> chosen(names.size());
  for (const std::size_t i : meant(pattern, names)) chosen[i] = true;
  return chosen;
}

Result<std::vector<bool>> meant_by(const std::vector<std::string>& patterns, std::string_view what,
                                   const std::vector<std::string>& names) {
  std::vector<bool> meant(names.size(), false);
  for (const std::string& pattern : patterns) {
    const std::vector<bool> now = chosen_by(pattern, names);
    if (std::find(now.begin(), now.end(), true) == now.end())
      return fail("no {} is named '{}' or matches it; {}", what, pattern, did_you_mean(pattern, names));
    for (std::size_t i = 0; i < names.size(); ++i) meant[i] = meant[i] || now[i];
  }
  return meant;
}

Result<std::size_t> find_name(std::string_view what, std::string_view wanted, const std::vector<std::string>& names) {
  const std::vector<std::size_t> found = meant(wanted, names);
  if (found.empty()) return fail("no {} is named '{}'; {}", what, wanted, did_you_mean(wanted, names));
  if (found.size() == 1 || names[found.front()] == wanted) return found.front();
  std::vector<std::string> matching;
  for (const std::size_t i : found) matching.push_back(names[i]);
  return fail("'{}' may be {}: name one {}", wanted, listed(matching), what);
}

}  // namespace throng
