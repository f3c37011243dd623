// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many frames a clip needs for its vertices to stay within a bound.

#include "search_budget.h"
#include "vertices/vertex_frames.h"

namespace throng::detail::bake {

struct RatedClip {
  ClipPlan plan;
  std::string choice;  // why this rate, for the report
};

// "at 30 fps", or "in one frame".
std::string rate_words(const FramePlan& frames);

// The fewest frames a second (of candidate_rates) at which no vertex is off by more than `max_error_mm`, at or between
// frames. Every rate that is looked at is encoded and measured, two frames a thread at a time; where the
// budget is spent, the best of them is taken.
Result<RatedClip> cheapest_rate(const Model& source, const std::vector<VertexOrigin>& origins, const ClipPlan& plan,
                                const VertexFrames& frames, const BakeSettings& settings, double mm_per_unit,
                                SearchBudget& budget, Executor& executor);

}  // namespace throng::detail::bake
