// SPDX-License-Identifier: Apache-2.0
#include "preview/heat.h"

#include <algorithm>

namespace throng::studio {

glm::vec3 heat_colour(double error_mm, double full_mm) {
  constexpr glm::vec3 kNothing{0.02f, 0.30f, 0.06f}, kHalf{0.85f, 0.62f, 0.02f}, kFull{0.80f, 0.02f, 0.01f};
  const auto share = static_cast<float>(std::clamp(error_mm / full_mm, 0.0, 1.0));
  return share < 0.5f ? glm::mix(kNothing, kHalf, 2.0f * share) : glm::mix(kHalf, kFull, 2.0f * share - 1.0f);
}

}  // namespace throng::studio
