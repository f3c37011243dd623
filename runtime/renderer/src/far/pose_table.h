// SPDX-License-Identifier: Apache-2.0
#pragma once
// What pose_channels.comp reads of a character instead of its words in localv: unpacked, and in the order in which
// threads ask for it (throng/shaders/shared/pose_records.h). Pure.

#include <glm/glm.hpp>
#include <vector>

#include "throng/character/character.h"

namespace throng::detail::renderer {

struct PoseTable {
  std::vector<glm::uvec4> rows;
  std::uint32_t width = 0;   // rows of a block
  std::uint32_t jumps = 0;   // how many of a link's jumps lead anywhere: the rounds that compose chains
  std::uint32_t shapes = 0;  // gpu::kPoseFourths and the like
};

// Empty where that pass is not for the character: not all clips are localv, or it has too many links or clips.
// `threads`: of the subgroup that takes a character, at least one for each link; 0 where a group does.
PoseTable pose_table(const Character& model, std::uint32_t threads = 0);

}  // namespace throng::detail::renderer
