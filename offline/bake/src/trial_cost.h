// SPDX-License-Identifier: Apache-2.0
#pragma once
// What it takes to look at one clip at one rate, about, so that a search can tell what it has room for.

#include "bones/clip_trial.h"

namespace throng::detail::bake {

struct TrialCost {
  double bytes = 0.0;      // held meanwhile
  double making = 0.0;     // seconds: of what the source does
  double rounding = 0.0;   // of one try of steps
  double looking = 0.0;    // of comparing extreme points once
  double measuring = 0.0;  // of comparing all
  // Of the least that comes to a result: steps are tried some times.
  double at_least() const { return making + 6.0 * (rounding + looking) + measuring; }
};

// As channels of localv. The skeleton is there.
TrialCost channel_trial(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                        const FramePlan& frames);

// In any other encoding: a try of it is rounded, and looked at.
TrialCost column_trial(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                       const FramePlan& frames);

}  // namespace throng::detail::bake
