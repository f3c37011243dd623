// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where on a character the bake is off, and in what colours that is shown.

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace throng::studio {

struct HeatMap {
  std::vector<float> errors_mm;  // of each vertex of the bake, the largest in the clip, on a character 1.8 m tall
  double worst_mm = 0.0;
  std::uint32_t worst_vertex = 0;
  double worst_seconds = 0.0;  // from the clip's first frame
};

// Green for nothing, yellow for half of `full_mm`, red from there on. Linear light.
glm::vec3 heat_colour(double error_mm, double full_mm);

}  // namespace throng::studio
