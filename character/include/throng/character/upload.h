// SPDX-License-Identifier: Apache-2.0
#pragma once
// What renderers put into GPU memory besides a character's own arrays. The bake works it out once and the file holds
// it, so that loading is copying.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/shaders/shared/pose_records.h"
#include "throng/shaders/shared/speck.h"
#include "throng/shaders/shared/texels.h"

namespace throng {

class Character;

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

// What shaders read of the skeleton of clips in local8 or localv; none where no clip is either.
std::vector<gpu::LinkRecord> link_records(const Character& model);
std::vector<gpu::ColumnRecord> column_records(const Character& model);  // one a bone of the character

// A texture of whole numbers, row by row: texel i is at (i mod width, i / width). What is past the last is 0.
struct Texels {
  std::uint32_t width = gpu::kTexelsInRow;
  std::uint32_t height = 1;
  std::uint32_t texel_words = 1;  // 1: R32UI, 4: RGBA32UI
  std::vector<std::uint32_t> words;
};

// For shaders without storage buffers (texels.glsl): the words of clips in localv, as R32UI.
Texels channel_texels(const Character& model);
// The same for the skeleton, as RGBA32UI: all column records, and behind them all link records.
Texels skeleton_texels(const Character& model);

}  // namespace throng
