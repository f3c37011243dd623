// SPDX-License-Identifier: Apache-2.0
#pragma once
// A crowd on a square, as one sees it in a city: a procession winds through it, people line its way and watch it,
// others stand in groups or around those who dance. Pure places: who plays what is for others to say.
//
// Metres. The crowd begins at z = 0 and reaches back along −z; the way comes towards +z, where the camera is.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

enum class Part : std::uint8_t { procession, watcher, dancer, group };

struct Person {
  glm::dvec2 at{0.0};  // x, z
  glm::dvec2 facing{0.0, 1.0};
  Part part = Part::group;
  std::uint32_t company = 0;  // people of one number belong together
  bool leads = false;         // of a procession: walks towards the camera
};

// Where the middle of the procession's way is, at that z.
double way_at(double z);

// `count` people no two of which are closer than `room`. The same for the same numbers on every machine.
std::vector<Person> people_on_square(std::uint32_t count, double room, std::uint64_t seed);
