#pragma once
// How softly each point of the skin follows the bones.

#include <glm/glm.hpp>

#include "throng/model/model.h"

namespace throng::mannequin {

// For a point of the skin at rest. Smooth in `p`; a limb never follows another limb.
Influences skin_weights(const glm::dvec3& p);

}  // namespace throng::mannequin
