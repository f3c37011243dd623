// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake will take, told before it takes it.

#include <span>

#include "motion/clip_plan.h"
#include "motion/clip_selection.h"

namespace throng::detail::bake {

struct Cost {
  double bytes = 0.0;    // held at once at most, the model's own among them
  double seconds = 0.0;  // of one core, about
};

// In how many poses levels of detail may be held against the full mesh.
std::size_t affordable_level_poses(const BakeSettings& settings);

// What a frame of a bake of vertices takes.
Cost cost_of_vertex_frames(double frames, double vertices);

// What the budget leaves for looking for better rates and encodings than those that are taken where nobody asks: bytes
// held at once, and seconds of all clips together. Without a budget there is no end to it.
Cost left_for_search(const Model& model, const BakeSettings& settings, std::span<const ClipPlan> plans);

// Says of how many clips the search was broken off for it.
void note_cut_short(std::size_t clips, const BakeSettings& settings, std::vector<std::string>& notes);

// By counts alone: vertices, triangles, morph targets, and frames at the rate that is asked for or usual: what a
// bake cannot do without. The search for rates and encodings has what the budget leaves.
Cost cost_of(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips);

// As many levels of detail as are asked for, or none but the full mesh where they do not fit
// BakeSettings::memory_budget: a mesh that was compressed well is no reason to refuse its file. Where the full mesh
// fits, `warnings` says so; where it does not either, check_cost() refuses the least that there is to refuse.
Result<std::uint32_t> affordable_levels(const Model& model, const BakeSettings& settings,
                                        std::vector<std::string>& warnings);

// Whether that is within BakeSettings::memory_budget; the error says what is needed and what there is.
Result<void> check_cost(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips);

}  // namespace throng::detail::bake
