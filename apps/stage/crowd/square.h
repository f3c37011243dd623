// SPDX-License-Identifier: Apache-2.0
#pragma once
// A crowd on a square, as one sees it in a city: a procession winds through it, people line its way and watch it,
// others stand in groups or around those who dance. Pure places: who plays what is for others to say.
//
// Metres. The crowd begins at z = 0 and reaches back along −z; the way comes towards +z, where the camera is.

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <vector>

#include "crowd/measures.h"
#include "throng/character/ids.h"

// Posing: one of a few, who look at the camera.
enum class Part : std::uint8_t { procession, watcher, dancer, group, posing };

struct Person {
  glm::dvec2 at{0.0};  // x, z
  glm::dvec2 facing{0.0, 1.0};
  Part part = Part::group;
  std::uint32_t company = 0;  // people of one number belong together
  std::uint32_t kind = 0;     // which of the models
  throng::ClipId clip = {};
};

// The ground they may stand on: at z it reaches from `middle` − half to `middle` + half.
struct Region {
  double front_half = 8.5;
  double opening = 0.62;  // how much wider on each side a metre farther back
  double lean = 0.0;      // how much farther left its middle is a metre farther back

  double half_at(double z) const { return front_half - opening * z; }
  double middle_at(double z) const { return lean * z; }
};

// Where the middle of the procession's way is, at that z.
double way_at(double z);

// Says who somebody is (kind and clip) and how much room that one takes.
using Enlist = std::function<Footprint(Person&)>;

struct SquareSettings {
  std::uint32_t count = 0;
  std::uint64_t seed = 1;
  Region region = {};
  double room = 0.65;            // no two are closer than this
  double way_half = 0.0;         // of the procession's way, which is kept free; 0: there is none
  double walkers_a_metre = 0.0;  // of the way, in the procession: they count, and are not placed here
};

struct Square {
  std::vector<Person> people;  // all but the procession
  double depth = 0.0;          // how far back it reaches
};

// No two stand inside one another. The same for the same numbers on every machine.
Square people_on_square(const SquareSettings& settings, const Enlist& enlist);
