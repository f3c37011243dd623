// SPDX-License-Identifier: Apache-2.0
#include "crowd/tints.h"

#include <array>

using namespace throng;

namespace {

// Warm whites and clays with a few strong colours: reads as one crowd, and no two neighbours alike.
constexpr std::array<Tint, 12> kPosingTints{{{236, 228, 214, 255},
                                             {224, 205, 178, 255},
                                             {205, 184, 160, 255},
                                             {188, 196, 200, 255},
                                             {232, 141, 92, 255},
                                             {214, 92, 78, 255},
                                             {240, 186, 92, 255},
                                             {96, 150, 160, 255},
                                             {70, 104, 138, 255},
                                             {128, 158, 118, 255},
                                             {168, 130, 158, 255},
                                             {92, 90, 98, 255}}};

// The procession's reds and golds run through a crowd in stone, sand and slate: one strong colour, and a way to follow.
constexpr std::array<Tint, 6> kProcessionTints{{{226, 60, 38, 255},
                                                {236, 92, 36, 255},
                                                {244, 128, 40, 255},
                                                {248, 166, 58, 255},
                                                {206, 42, 52, 255},
                                                {250, 196, 92, 255}}};
constexpr std::array<Tint, 9> kCrowdTints{{{232, 224, 210, 255},
                                           {214, 200, 180, 255},
                                           {190, 176, 160, 255},
                                           {160, 158, 156, 255},
                                           {122, 132, 146, 255},
                                           {86, 104, 132, 255},
                                           {60, 74, 104, 255},
                                           {84, 82, 88, 255},
                                           {148, 128, 112, 255}}};
constexpr std::array<Tint, 4> kDancerTints{
    {{244, 240, 230, 255}, {52, 150, 160, 255}, {248, 190, 84, 255}, {36, 112, 132, 255}}};
constexpr std::array<Tint, 3> kAccentTints{{{52, 128, 138, 255}, {196, 96, 62, 255}, {214, 168, 84, 255}}};

Tint dye_of(const Person& person, Scatter& scatter) {
  if (person.part == Part::posing) return kPosingTints[(person.company + scatter.below(2)) % kPosingTints.size()];
  if (person.part == Part::procession) return kProcessionTints[scatter.below(kProcessionTints.size())];
  if (person.part == Part::dancer) return kDancerTints[(person.company + scatter.below(2)) % kDancerTints.size()];
  if (scatter.chance(0.06)) return kAccentTints[person.company % kAccentTints.size()];
  // People who belong together dress alike, more or less.
  if (person.part == Part::group && scatter.chance(0.5)) return kCrowdTints[person.company % kCrowdTints.size()];
  return kCrowdTints[scatter.below(kCrowdTints.size())];
}

// A texture has colours of its own: the dye only leans on them.
Tint lighter(const Tint& tint) {
  const auto lift = [](std::uint8_t channel) { return static_cast<std::uint8_t>(255 - (255 - channel) / 3); };
  return {lift(tint.red), lift(tint.green), lift(tint.blue), tint.alpha};
}

}  // namespace

Tinting tinting_for(const Character& model, Tinting asked) {
  if (asked != Tinting::automatic) return asked;
  return model.name() == "mannequin" && model.images().empty() ? Tinting::strong : Tinting::none;
}

Look look_of(const Character& model, Tinting tinting, const Person& person, std::uint32_t number, Scatter& scatter) {
  const Tint dye = dye_of(person, scatter);
  Look look;
  // Materials take small differences from the number; 0 has none.
  look.variation = tinting == Tinting::none ? 0 : number;
  if (tinting == Tinting::strong) look.tint = model.images().empty() ? dye : lighter(dye);
  return look;
}
