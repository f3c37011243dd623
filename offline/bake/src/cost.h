// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake will take, told before it takes it.

#include <span>

#include "motion/clip_selection.h"

namespace throng::detail::bake {

struct Cost {
  double bytes = 0.0;    // held at once at most, the model's own among them
  double seconds = 0.0;  // of one core, about
};

// By counts alone: vertices, triangles, morph targets, and frames at the rate that is asked for or usual. Where rate
// and encoding are chosen, the search for them is in it.
Cost cost_of(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips);

// As many levels of detail as are asked for, or none but the full mesh where only that fits
// BakeSettings::memory_budget: a mesh that was compressed well is no reason to refuse its file. Then `warnings` says
// so.
Result<std::uint32_t> affordable_levels(const Model& model, const BakeSettings& settings,
                                        std::vector<std::string>& warnings);

// Whether that is within BakeSettings::memory_budget; the error says what is needed and what there is.
Result<void> check_cost(const Model& model, const BakeSettings& settings, std::span<const SelectedClip> clips);

}  // namespace throng::detail::bake
