// SPDX-License-Identifier: Apache-2.0
#pragma once
// How softly each point of the skin follows the bones.

#include <glm/glm.hpp>

#include "throng/model/model.h"

namespace throng::detail::mannequin {

// For a point of the skin at rest. Smooth in `p`; a limb never follows another limb.
Influences skin_weights(const glm::dvec3& p);

// 0: both follow the same bones alike; 1: they share none.
double weight_difference(const Influences& a, const Influences& b);

}  // namespace throng::detail::mannequin
