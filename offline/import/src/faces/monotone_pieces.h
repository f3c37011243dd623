// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sweep behind triangulate_face: an outline is cut into pieces that are monotone in y (de Berg and others,
// "Computational Geometry", chapter 3), and those into triangles, in O(n log n).

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

namespace throng::detail::import {

// n − 2 triangles, three point numbers each, that are joined along the outline. The outline runs anticlockwise and no
// two neighbours are the same point. Nothing where the sweep finds it crossing itself; what it does not find shows as
// a triangle that faces backwards, so callers check for those.
std::optional<std::vector<std::uint32_t>> cut_monotone(const std::vector<glm::dvec2>& outline);

}  // namespace throng::detail::import
