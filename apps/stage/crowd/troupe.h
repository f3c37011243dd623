// SPDX-License-Identifier: Apache-2.0
#pragma once
// The models of a picture, and what is known of each.

#include <optional>
#include <string>
#include <vector>

#include "crowd/families.h"
#include "crowd/measures.h"
#include "throng/character/character.h"

struct Player {
  throng::Character character;
  Measures measures;
  ClipFamilies families;
  std::optional<throng::ClipId> only = {};  // what all of them play; nothing: each its own
  double scale = 1.0;                       // world units of one of the model's
};

struct Troupe {
  std::vector<Player> players;
  double metre = 1.0;   // of the world, in its units: persons 1.8 tall
  double ground = 0.0;  // how high the world's is

  // How high one of a model that plays a clip is placed to stand on the ground, at its usual scale.
  double floor_of(const Player& player, throng::ClipId clip, double scale) const {
    const double raised = player.measures.clips.empty() ? 0.0 : player.measures.clips[clip.value].raised;
    return ground + (raised - player.measures.stature.ground) * scale;
  }
};

// One model is shown in its own units. Several are shown in metres, each taken to be in metres unless that would make
// it absurdly large or small: then in centimetres or millimetres, and else it is made as tall as a person. `said` tells
// so.
Troupe make_troupe(std::vector<throng::Character> characters, std::vector<std::string>* said = nullptr);

// Metres a unit of a model of that size is taken to be, and what for.
struct Unit {
  double metres = 1.0;
  std::string taken_for = {};  // empty: metres, as the format says
};
Unit unit_of(const Stature& stature);
