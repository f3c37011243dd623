// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lowest rate at which one encoding of one clip stays within an error.

#include <limits>
#include <map>

#include "bones/clip_trial.h"
#include "search_budget.h"
#include "trial_cost.h"

namespace throng::detail::bake {

// Millimetres.
struct TrialError {
  double worst = 0.0;
  double at_frames = 0.0;
};

// A clip at the rates there are, sampled when first asked for.
class TrialClip {
 public:
  // `rates`: ascending. What it is given outlives it.
  TrialClip(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
            const std::vector<double>& rates, double bound_mm, SearchBudget& budget);

  std::size_t rate_count() const { return frames_.size(); }
  std::size_t first_guess() const { return first_guess_; }
  double bound_mm() const { return bound_mm_; }
  ClipPlan plan(std::size_t rate) const { return replanned(plan_, frames_[rate]); }
  std::uint32_t frame_count(std::size_t rate) const { return frames_[rate].frame_count; }
  std::uint64_t bytes(std::size_t rate, Encoding encoding) const;
  // Whether the encoding holds what the clip does at the frames of this rate.
  bool holds(std::size_t rate, Encoding encoding);

  // The largest errors: of the extreme points at half as many looks (which are never more than the true ones), or of
  // all; the latter gives up, with what it has, once it is over the bound.
  TrialError quick(std::size_t rate, Encoding encoding);
  TrialError full(std::size_t rate, Encoding encoding);

 private:
  const ColumnSamples& samples(std::size_t rate);
  TrialError measured(std::size_t rate, Encoding encoding, const ComparedPoints& points, bool quick, double enough_mm);

  const BoneBakeInputs& bake_;
  const ComparedPoints& extremes_;
  SearchBudget& budget_;
  double bound_mm_;
  std::vector<Corner> corners_;  // the clip's at any rate
  const ClipPlan& plan_;
  std::vector<FramePlan> frames_;
  std::size_t first_guess_ = 0;
  std::map<std::size_t, ColumnSamples> samples_;
};

// Rates to try on a clip, in series: within each, more frames are less error. A series may be empty, not all.
std::vector<std::vector<double>> rate_series(const BoneBakeInputs& bake, const ClipPlan& plan);

// Leaves out the rates above the plan's that the budget has no room for; `cost_of` tells a trial's.
template <class CostOf>
void leave_out_dear(const ClipPlan& plan, const CostOf& cost_of, SearchBudget& budget,
                    std::vector<std::vector<double>>& series) {
  for (std::vector<double>& rates : series) {
    std::erase_if(rates, [&](double rate) {
      const FramePlan frames = replanned_frames(plan, rate);
      if (plan.frames.frame_count <= 1 || frames.frame_count <= plan.frames.frame_count) return false;
      const TrialCost cost = cost_of(frames);
      return !budget.allows(cost.bytes, cost.at_least());
    });
  }
}

// Narrows down, a step at a time, so that of several the one that promises most can be taken further.
class RateSearch {
 public:
  // Among the rates that take less than `below` bytes.
  RateSearch(TrialClip& trial, Encoding encoding, std::uint64_t below = std::numeric_limits<std::uint64_t>::max());

  Encoding encoding() const { return encoding_; }
  bool hopeless() const { return lowest() >= end_; }
  // Whether the lowest rate that is not known to fail is known to pass the quick look.
  bool settled() const { return !hopeless() && lowest() == passes_; }
  // Bytes at the lowest rate that may keep the bound.
  std::uint64_t bytes() const { return trial_->bytes(lowest(), encoding_); }
  std::uint64_t fewest_bytes() const { return trial_->bytes(0, encoding_); }
  ClipPlan plan() const { return trial_->plan(lowest()); }

  // One more quick look; only where not settled.
  void step();
  // The lowest rate measured in full; where that fails, the search goes on above it. Only where settled.
  double verify();

  // What is left of the error at the highest rate, or at the frames themselves where that is too much already.
  double best_mm() const { return best_mm_; }
  ClipPlan best_plan() const { return trial_->plan(best_rate_); }
  // Looks at the highest rate, if it has not been, or at the usual one.
  void look_at_highest() { look_at(trial_->rate_count() - 1); }
  void look_at_first_guess() { look_at(trial_->first_guess()); }

 private:
  std::size_t lowest() const { return fails_; }
  std::size_t guess_from(std::size_t rate, const TrialError& error) const;
  void see(std::size_t rate, double millimetres);
  void look_at(std::size_t rate);

  TrialClip* trial_;
  Encoding encoding_;
  std::size_t end_ = 0;    // of the rates that are looked among
  std::size_t fails_ = 0;  // all rates below are known to fail
  std::size_t passes_;     // the lowest rate that passed; the end: none has
  std::size_t guess_;
  double best_mm_ = std::numeric_limits<double>::infinity();
  std::size_t best_rate_ = 0;
};

}  // namespace throng::detail::bake
