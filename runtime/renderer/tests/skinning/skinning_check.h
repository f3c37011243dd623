// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the GPU skinned, against the same texels decoded on the CPU.

#include "test_models.h"
#include "throng/renderer/crowd_readback.h"

namespace throng::test {

Cursor cpu_cursor(const Character& model, const TrackRecord& track, std::uint64_t now);

double degrees_between(const glm::dvec3& a, const glm::dvec3& b);

// The largest distance to the texels decoded in double, over every vertex of every instance.
struct Deviation {
  double position = 0.0;
  double normal_degrees = 0.0;
};
Deviation deviation_from_decoded(const Character& model, const Cast& cast, const SkinnedCrowd& crowd);

}  // namespace throng::test
