// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one image asks of the GPU: who is seen in which view, where their vertices go, which groups skin them, which
// draws show them. Pure: tables to be uploaded, in the words of throng/shaders/shared/near.h.

#include <set>

#include "near/near_roster.h"
#include "throng/renderer/renderer_settings.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

struct NearPlanSettings {
  bool motion = false;
  std::uint64_t image = 1;       // its number
  std::uint32_t call_count = 0;  // of all models
};

struct NearPlan {
  std::vector<std::uint32_t> drawn;         // characters, by their slots in the roster
  std::vector<std::uint32_t> first_vertex;  // of each of them, in the pool
  std::vector<gpu::NearRecord> characters;  // of each of them
  std::vector<float> weights;
  std::vector<std::uint32_t> bound_bones;
  std::vector<gpu::NearSkinTask> skin_tasks;
  std::vector<gpu::SkinGroup> groups;
  std::size_t even_groups = 0;  // of those, the first: of characters all of whose bones scale alike
  std::vector<gpu::NearDrawTask> draw_tasks;
  std::vector<gpu::CommandRecord> commands;
  std::vector<gpu::NearCall> calls;  // of all models
  std::set<ModelId> drawn_models;    // whose pieces those are
  std::uint64_t bones = 0;           // matrices of all of them
  std::uint64_t vertices = 0;
  std::uint64_t in_picture = 0;
  std::uint64_t triangles = 0;

  void clear();  // of everything but its memory
};

// `asked`: characters that are skinned whether seen or not, by their slots. `column_counts`: of every chunk. `room`:
// the plan of an image before, whose memory is used again: thousands of characters would otherwise ask for new pages
// every time.
NearPlan make_plan(const NearRoster& roster, const RendererImage& image, std::span<const std::uint32_t> asked,
                   std::span<const std::uint32_t> column_counts, const NearPlanSettings& settings, NearPlan room = {});

}  // namespace throng::detail::renderer
