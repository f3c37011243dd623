// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much is done for a vertex of each level of a model, and what that costs in accuracy.

#include <array>
#include <cstddef>
#include <cstdint>

#include "throng/character/character.h"

namespace throng {

// How much is done for a vertex of one level of detail.
struct LevelQuality {
  // 1 to 4: the strongest of its bones. 0: as few as move no vertex of the level by more than a quarter of what its
  // shape is off by; all four where the character's file does not tell (BakedLevel::fewer_bones).
  std::uint32_t bones = 4;
  bool interpolated = true;  // between frames; not: the nearer frame
};

// Levels of detail, at most: each has a quality of its own.
inline constexpr std::size_t kMostLevelQualities = 10;

// One a level, the full mesh first.
using LevelQualities = std::array<LevelQuality, kMostLevelQualities>;

// The usual quality of every level: as few bones as suit it, and frames interpolated.
constexpr LevelQualities usual_qualities() {
  LevelQualities all;
  all.fill({.bones = 0, .interpolated = true});
  return all;
}

// The qualities asked for, with a number of bones, 1 to 4, for every level, the full mesh first: see
// LevelQuality::bones.
LevelQualities qualities_of(const Character& model, const LevelQualities& asked);

// How far a level's surface is off where its vertices follow so many bones, model units. Level 0 is the full mesh.
double level_error(const Character& model, std::size_t level, std::uint32_t bones);

}  // namespace throng
