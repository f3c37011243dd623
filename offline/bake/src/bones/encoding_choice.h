// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which encoding and which rate a clip gets, and why.

#include "bones/clip_trial.h"
#include "measure/measure.h"
#include "search_budget.h"

namespace throng::detail::bake {

struct EncodingChoice {
  ClipPlan plan;
  Encoding encoding = Encoding::q16;
  std::string why;                            // for BakedClip::choice
  std::string note;                           // what a user should know without asking; or nothing
  std::optional<EncodedClip> clip = {};       // localv: as it was found
  std::optional<MeasuredClip> measured = {};  // localv: its error, as it was measured
};

// Without an error bound: the plan as it is and the encoding that was asked for, q16, or rows for a clip that q16
// cannot hold. `clip` counts in the plans that the bake began with.
Result<EncodingChoice> choose_plainly(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                      const ColumnSamples& samples, std::size_t clip, SearchBudget& budget);

// With one: the cheapest of all encodings (or the one asked for) and rates that keeps every vertex within it, at the
// frames and between. `extremes` are points that are likely to be the worst: what fails at them fails.
// Where the budget is spent, the best that was found until then is taken.
Result<EncodingChoice> choose_by_error(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                       const ColumnSamples& samples, std::size_t clip, SearchBudget& budget);

}  // namespace throng::detail::bake
