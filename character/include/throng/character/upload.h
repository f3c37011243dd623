// SPDX-License-Identifier: Apache-2.0
#pragma once
// What renderers put into GPU memory besides a character's own arrays. The bake works it out once and the file holds
// it, so that loading is copying.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/shaders/shared/speck.h"

namespace throng {

// What the bake worked out for renderers.
struct UploadData {
  // In no clip do columns scale differently from one another, and none mirrors: skinning may leave scale out.
  bool uniform_scale = false;
  gpu::SpeckRecord speck{};  // what the character looks like when it is a few pixels tall
  // Bone mode: what the skinning pass reads of a vertex, two to each: position and packed_direction of the normal;
  // bones and weights, two to a word.
  std::span<const glm::uvec4> skin_vertices;
  // What each part adds to the speck; none where there are no parts.
  std::vector<gpu::SpeckSums> speck_parts = {};
};

}  // namespace throng
