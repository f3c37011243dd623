// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one image asks of the GPU: who is seen in which view, where their vertices go, which groups skin them, which
// draws show them. Pure: tables to be uploaded, in the words of throng/shaders/skinned.h.

#include "near/skinned_roster.h"
#include "throng/shaders/drawing.h"

namespace throng::detail::renderer {

struct SkinnedPlanSettings {
  bool motion = false;
  std::uint64_t image = 1;  // its number
};

// Commands of one part in one view.
struct PlannedDraw {
  std::uint32_t part = 0;  // counted over all models
  std::uint32_t command = 0;
};

struct SkinnedPlan {
  std::vector<std::uint32_t> drawn;               // characters, by their place in the cast
  std::vector<std::uint32_t> first_vertex;        // of each of them, in the pool
  std::vector<gpu::SkinnedCharacter> characters;  // …
  std::vector<float> weights;
  std::vector<std::uint32_t> bound_bones;
  std::vector<gpu::SkinSlot> skin_slots;
  std::vector<gpu::SkinGroup> groups;
  std::vector<gpu::DrawSlot> draw_slots;
  std::vector<gpu::CommandRecord> commands;
  std::vector<std::vector<PlannedDraw>> draws;  // view by view, by part
  std::uint64_t bones = 0;                      // matrices of all of them
  bool uneven = false;                          // of any of them
  std::uint64_t vertices = 0;
  std::uint64_t in_picture = 0;
  std::uint64_t triangles = 0;
};

// `asked`: characters that are skinned whether seen or not, by their place. `column_counts`: of every chunk.
SkinnedPlan make_plan(const SkinnedRoster& cast, const SkinnedImage& image, std::span<const std::uint32_t> asked,
                      std::span<const std::uint32_t> column_counts, const SkinnedPlanSettings& settings);

}  // namespace throng::detail::renderer
