// SPDX-License-Identifier: Apache-2.0
#pragma once
// A polygon becomes triangles. The sweep that cuts it takes O(n log n), so a face of many thousand corners costs
// milliseconds, and it decides with exact arithmetic, so straight runs and tiny features are no special cases.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace throng::detail::import {

// Appends the triangles of one face, three corner numbers each, wound as the face is: always two fewer than it has
// corners, and every corner is used. The face is looked at along its Newell normal. It may be concave, have straight
// runs, repeated corners, and touch itself at points or along edges (a hole joined to the outline by a bridge);
// triangles without area appear only where the face itself is that thin.
//
// Convex faces are cut from their last corner, four corners along one diagonal.
//
// Returns false where the face crosses itself, so that no triangles cover it exactly once; it then gets a plain fan.
// Faces of fewer than three corners have no triangles, and count as covered. Coordinates must be finite.
[[nodiscard]] bool triangulate_face(std::span<const glm::dvec3> corners, std::vector<std::uint32_t>& triangles);

}  // namespace throng::detail::import
