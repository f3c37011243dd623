// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much is done for a vertex of each level of a model, and what that costs in accuracy.

#include "throng/character/character.h"
#include "throng/renderer/renderer_settings.h"

namespace throng::detail::renderer {

using LevelQualities = std::array<LevelQuality, kMostLevelQualities>;

// The qualities asked for, with a number of bones, 1 to 4, for every level, the full mesh first: see
// LevelQuality::bones.
LevelQualities qualities_of(const Character& model, const LevelQualities& asked);

// How far a level's surface is off where its vertices follow so many bones, model units. Level 0 is the full mesh.
double level_error(const Character& model, std::size_t level, std::uint32_t bones);

}  // namespace throng::detail::renderer
