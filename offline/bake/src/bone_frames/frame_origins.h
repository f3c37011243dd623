// SPDX-License-Identifier: Apache-2.0
#pragma once
// What q8 counts the positions of a frame from, so that a character that walks away takes no room in its bones' boxes.

#include <glm/glm.hpp>
#include <vector>

namespace throng::detail::bake {

// Takes an origin off the positions of every frame (by frame and column) and returns the origins. Tried are the first
// columns, the mean of all and none; the one is taken that leaves the columns with the smallest boxes.
std::vector<glm::vec3> take_off_origins(std::vector<glm::dvec3>& positions, std::size_t columns);

}  // namespace throng::detail::bake
