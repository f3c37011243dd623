// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where on a character the bake is off, and by how much: every vertex of a baked clip against the source's own curves.

#include <memory>
#include <vector>

#include "core/studio.h"

namespace throng::studio {

struct HeatMap {
  std::vector<float> errors_mm;  // of each vertex of the bake, the largest in the clip, on a character 1.8 m tall
  double worst_mm = 0.0;
  std::uint32_t worst_vertex = 0;
  double worst_seconds = 0.0;  // from the clip's first frame
};

struct HeatQuestion {
  std::shared_ptr<const BakeResult> result;
  std::shared_ptr<const Imported> source;  // that it was baked from
  std::uint32_t clip = 0;                  // of the bake

  friend bool operator==(const HeatQuestion&, const HeatQuestion&) = default;
};

// Looks at every frame and at seven moments between two; of long clips, at fewer. For a worker's thread. Refused: a
// clip that the source does not have, and one whose root motion was dropped, which leaves nothing to compare with.
Result<HeatMap> find_heat(const HeatQuestion& question);

// Where the ground under the character has gone since the clip's first frame.
GroundMotion ground_at(const BakedClip& clip, double seconds);

// Green for nothing, yellow for half of `full_mm`, red from there on. Linear light.
glm::vec3 heat_colour(double error_mm, double full_mm);

}  // namespace throng::studio
