// SPDX-License-Identifier: Apache-2.0
#pragma once
// At which rate and with which steps a clip in localv takes the fewest bytes within an error.

#include "bones/channel_motion.h"
#include "measure/measure.h"
#include "search_budget.h"

namespace throng::detail::bake {

struct ChannelChoice {
  ClipPlan plan;
  EncodedClip clip;
  double millimetres = 0.0;                   // measured in full
  bool kept = false;                          // within the bound
  std::optional<MeasuredClip> measured = {};  // nothing where that was broken off
};

// `extremes` are points that are likely to be the worst; what is chosen by them is then measured by all. Where no rate
// keeps the bound: what comes hardly less close than the best there is; where the budget is spent, what was found until
// then. The clip has no misfit.
Result<ChannelChoice> choose_channels(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                      double bound_mm, SearchBudget& budget);

// At the plan's own rate and with steps as fine as `bound_mm` asks for, whatever comes of it between frames.
Result<ChannelChoice> channels_as_planned(const BoneBakeInputs& bake, const ComparedPoints& extremes,
                                          const ClipPlan& plan, double bound_mm, SearchBudget& budget);

}  // namespace throng::detail::bake
