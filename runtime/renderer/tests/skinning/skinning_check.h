// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the GPU skinned, against the same texels decoded on the CPU.

#include <array>

#include "test_models.h"
#include "throng/renderer/crowd_readback.h"

namespace throng::test {

// Every way in which far characters are skinned, and the space that its vertices are in.
struct SkinWay {
  const char* name;
  CrowdReadbackSettings settings;
  SkinSpace space;
};
inline const std::array kSkinWays{
    SkinWay{"in the vertex shader", {.skinning = Skinning::vertex}, SkinSpace::model},
    SkinWay{"in the pool", {.skinning = Skinning::compute, .drawn_on = DrawnOn::gpu}, SkinSpace::world},
    SkinWay{"in the pool, without a GPU",
            {.skinning = Skinning::compute, .drawn_on = DrawnOn::software},
            SkinSpace::world}};

Cursor cpu_cursor(const Character& model, const TrackRecord& track, std::uint64_t now);

double degrees_between(const glm::dvec3& a, const glm::dvec3& b);

// The largest distance to the texels decoded in double, over every vertex of every instance.
struct Deviation {
  double position = 0.0;
  double normal_degrees = 0.0;
};
Deviation deviation_from_decoded(const Character& model, const Cast& cast, const SkinnedCrowd& crowd);

}  // namespace throng::test
