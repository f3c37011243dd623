// SPDX-License-Identifier: Apache-2.0
#pragma once
// On which side of a line a point lies, decided without rounding.

#include <glm/glm.hpp>

namespace throng::detail::import {

// 1 where a, b, c turn anticlockwise, −1 clockwise, 0 where they lie on one line. Exact for coordinates that are zero
// or between 2^-400 and 2^400 in size.
int orientation(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c);

}  // namespace throng::detail::import
