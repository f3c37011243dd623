// SPDX-License-Identifier: Apache-2.0
#include "crowd/troupe.h"

#include <fmt/format.h>

#include <algorithm>

using namespace throng;

namespace {

constexpr double kPersonHeight = 1.8;              // metres
constexpr double kSmallest = 0.2, kLargest = 8.0;  // metres: a kitten and an elephant with room to spare

}  // namespace

Unit unit_of(const Stature& stature) {
  const double size = stature.metre() * kPersonHeight;
  const auto possible = [&](double metres) { return size * metres >= kSmallest && size * metres <= kLargest; };
  if (possible(1.0)) return {};
  if (possible(0.01)) return {0.01, "in centimetres"};
  if (possible(0.001)) return {0.001, "in millimetres"};
  return {kPersonHeight / size, "as large as a person"};
}

Troupe make_troupe(std::vector<Character> characters, std::vector<std::string>* said) {
  Troupe troupe;
  for (Character& character : characters) {
    Measures measures = measure(character);
    ClipFamilies families(character);
    troupe.players.push_back({std::move(character), std::move(measures), std::move(families)});
  }
  if (troupe.players.size() == 1) {
    const Stature& stature = troupe.players.front().measures.stature;
    troupe.metre = stature.metre();
    troupe.ground = stature.ground;
    return troupe;
  }
  troupe.metre = 0.0;
  for (Player& player : troupe.players) {
    const Stature& stature = player.measures.stature;
    const Unit unit = unit_of(stature);
    player.scale = unit.metres;
    troupe.metre = std::max(troupe.metre, stature.metre() * unit.metres);
    if (said != nullptr && !unit.taken_for.empty())
      said->push_back(fmt::format("'{}' is {:.4g} units tall: it is shown {}, {:.2f} m", player.character.name(),
                                  stature.height, unit.taken_for, stature.height * unit.metres));
  }
  return troupe;
}
