// SPDX-License-Identifier: Apache-2.0
#include "throng/character/parts.h"

namespace throng {
namespace {

// Mixes as SplitMix64 does: numbers next to each other lead far apart.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
  number = (number ^ number >> 27) * 0x94D049BB133111EBu;
  return number ^ number >> 31;
}

template <class Choose>
PartMask chosen_parts(const std::vector<PartGroup>& groups, const Choose& choose) {
  PartMask mask;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t worn = choose(g);
    for (std::size_t i = 0; i < groups[g].parts.size(); ++i)
      if (i != worn) mask.take_off(groups[g].parts[i]);
  }
  return mask;
}

}  // namespace

PartMask usual_parts(const std::vector<PartGroup>& groups) {
  return chosen_parts(groups, [](std::size_t) { return std::size_t{0}; });
}

PartMask dressed_parts(const std::vector<PartGroup>& groups, std::uint64_t seed) {
  return chosen_parts(groups, [&](std::size_t g) {
    const std::size_t choices = groups[g].parts.size() - groups[g].only_asked;
    const std::uint64_t picked = mixed(mixed(seed) ^ g) % (choices + (groups[g].optional ? 1 : 0));
    return picked < choices ? static_cast<std::size_t>(picked) : groups[g].parts.size();
  });
}

}  // namespace throng
