// SPDX-License-Identifier: Apache-2.0
#include "bones/channel_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bones/rate_search.h"
#include "measure/compare_frame.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr double kForFrames = 0.9;  // of the bound that what frames leave out may take, so that rounding has some left
constexpr double kAim = 0.992;      // of the bound that a search for steps aims at
constexpr double kCloseEnough = 0.975;  // of the bound: no better steps are looked for
constexpr int kMostTries = 10;          // of steps, at one rate
constexpr double kFiner = 0.7;          // steps from one try to the next, where frames are too few whatever the steps
// Shares of the bound that frames which are left out may take; 0: none are.
constexpr std::array kShares{0.0, 0.25, 0.5, 0.7};
constexpr int kBalancings = 1;
constexpr double kLooksForFewest = 4.0;  // at every moment, about, until frames that can be left out are found
constexpr double kBalance = 0.7;
constexpr double kMostShare = 4.0;
constexpr std::size_t kRatesTried = 4;  // from the lowest that may do
constexpr int kMostVerified = 5;
constexpr double kHardlyWorse = 1.05;
constexpr std::uint64_t kMotionBytes = 4u << 20;  // of motions that are kept though they are not needed now
constexpr std::uint32_t kFramesAtOnce = 16;       // measured before looking whether the bound is broken

// The error of all points at all frames; broken off where it is over `enough`.
void measure_fully(const BoneBakeInputs& bake, double bound_mm, double enough_mm, ChannelChoice& choice) {
  const ClipPlan& plan = choice.plan;
  const std::uint32_t frames = plan.frames.frame_count;
  const CharacterDraft model = trial_model(bake, plan, choice.clip);
  const std::vector<Corner> corners = corners_of(plan.clip);
  const CompareTask task{bake.source, bake.points, model, model.clips[0], plan, corners};
  CompareResult result;
  std::uint32_t first = 0;
  choice.millimetres = 0.0;
  for (; first < frames && choice.millimetres <= enough_mm; first += kFramesAtOnce) {
    compare_frames(task, first, std::min(kFramesAtOnce, frames - first), result);
    choice.millimetres = std::sqrt(std::max(result.extremes.worst.squared, 0.0)) * bake.mm_per_unit;
  }
  choice.kept = choice.millimetres <= bound_mm;
  if (first >= frames) choice.measured.emplace(result);
}

// The coarsest steps found with which the motion, of these frames, is within `bound` of the source, in the model's
// units.
std::optional<RoundedMotion> coarsest(const ChannelMotion& motion, const std::vector<std::uint32_t>& stored,
                                      double between, double bound, std::span<const double> shares,
                                      const TrialCost& cost, SearchBudget& budget) {
  if (between >= bound) return std::nullopt;
  std::optional<RoundedMotion> best;
  double best_distance = 0.0;
  double distance = bound - between;
  for (int i = 0; i < kMostTries && !(best && budget.is_spent()); ++i) {
    budget.spend(cost.rounding + cost.looking);
    RoundedMotion rounded = motion.rounded(stored, distance, shares);
    const double error = motion.error(rounded, 4.0 * bound);
    if (error <= bound && distance > best_distance) {
      best_distance = distance;
      best = std::move(rounded);
    }
    if (error <= bound && error >= kCloseEnough * bound) break;
    const double factor = (kAim * bound - between) / std::max(error - between, 1e-3 * bound);
    distance = std::max(distance * std::clamp(factor, 0.25, 3.0), 1.02 * best_distance);
    if (!(factor > 0.0)) break;  // the bound is as good as used up between frames
  }
  return best;
}

// Steps of links whose points are all within the bound by far may be coarser than others'.
std::vector<double> balanced(const ChannelMotion& motion, const RoundedMotion& rounded, double bound) {
  std::vector<double> shares = motion.errors_below(rounded);
  for (double& share : shares)
    share = std::clamp(std::pow(bound / std::max(share, 1e-9 * bound), kBalance), 1.0, kMostShare);
  return shares;
}

class Search {
 public:
  Search(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
         const std::vector<double>& rates, SearchBudget& budget)
      : bake_(bake), extremes_(extremes), plan_(plan), budget_(budget) {
    const bool one = plan.frames.frame_count <= 1;
    for (const double rate : rates) frames_.push_back(one ? plan.frames : replanned_frames(plan, rate));
  }

  double best_between() { return between(frames_.size() - 1); }

  // What was sampled is sampled again if it is asked for.
  void forget() { motions_.clear(); }

  // The lowest rate, but none below the plan's, whose frames leave out no more than that; the highest where none does.
  const FramePlan& frames_for(double allowed) {
    std::size_t rate = std::min(lowest(allowed), frames_.size() - 1);
    while (rate + 1 < frames_.size() && frames_[rate].frame_count < plan_.frames.frame_count) ++rate;
    return frames_[rate];
  }

  // The cheapest of the lowest rates that may keep the bound; nothing when none does.
  Result<std::optional<ChannelChoice>> run(double bound_mm) {
    double bound = bound_mm / bake_.mm_per_unit;
    std::size_t first = lowest(kForFrames * bound);
    for (int i = 0; i < kMostVerified && first < frames_.size(); ++i) {
      THRONG_TRY(std::vector<ChannelChoice> found, cheapest(first, bound));
      if (found.empty()) {
        ++first;
        continue;
      }
      ChannelChoice& choice = found[0];
      budget_.spend(channel_trial(bake_, extremes_, plan_, choice.plan.frames).measuring);
      measure_fully(bake_, bound_mm, bound_mm, choice);
      if (choice.kept) return std::move(choice);
      if (budget_.stops()) break;
      bound *= 0.98 * std::max(bound_mm / choice.millimetres, 0.5);
      first = std::max(first, lowest(kForFrames * bound));
    }
    return std::nullopt;
  }

 private:
  const ChannelMotion& motion(std::size_t rate) {
    const auto found = motions_.find(rate);
    if (found != motions_.end()) return found->second;
    std::uint64_t bytes = 0;
    for (const auto& [other, motion] : motions_) bytes += motion.bytes();
    if (bytes > kMotionBytes) motions_.clear();
    budget_.spend(cost(rate).making);
    return motions_.try_emplace(rate, bake_, extremes_, replanned(plan_, frames_[rate])).first->second;
  }

  TrialCost cost(std::size_t rate) const { return channel_trial(bake_, extremes_, plan_, frames_[rate]); }

  double between(std::size_t rate) {
    const auto [found, added] = between_.try_emplace(rate, 0.0);
    if (added) found->second = motion(rate).error_between(motion(rate).every_frame());
    if (added) budget_.spend(cost(rate).looking);
    return found->second;
  }

  // The lowest rate whose frames leave out no more than that.
  std::size_t lowest(double allowed) {
    std::size_t guess = 0;
    while (guess + 1 < frames_.size() && frames_[guess].frame_count < plan_.frames.frame_count) ++guess;
    std::size_t fails = 0;                // all below are known, or taken, to fail
    std::size_t passes = frames_.size();  // the lowest known to pass
    while (fails < passes) {
      if (budget_.stops()) return passes;
      const std::size_t rate = std::clamp(guess, fails, passes - 1);
      const double error = between(rate);
      if (error <= allowed) passes = rate;
      if (error > allowed) fails = rate + 1;
      // What frames leave out falls with the square of their rate.
      const double needed = frames_[rate].frame_count * std::sqrt(error / allowed);
      guess = 0;
      while (guess + 1 < frames_.size() && frames_[guess].frame_count < needed) ++guess;
    }
    return passes;
  }

  // One, or none.
  Result<std::vector<ChannelChoice>> cheapest(std::size_t first, double bound) {
    std::vector<ChannelChoice> best;
    for (std::size_t rate = first; rate < std::min(frames_.size(), first + kRatesTried); ++rate) {
      if (!best.empty() && budget_.stops()) break;
      const std::size_t before = best.empty() ? 0 : best[0].clip.bytes();
      const ChannelMotion& here = motion(rate);
      std::size_t fewest = 0;
      const TrialCost tried = cost(rate);
      for (const double share : kShares) {
        if (!best.empty() && budget_.stops()) break;
        if (share > 0.0) budget_.spend(kLooksForFewest * tried.looking);
        const std::vector<std::uint32_t> stored = share > 0.0 ? here.fewest_frames(share * bound) : here.every_frame();
        if (stored.size() == fewest) continue;  // as the last share had them
        fewest = stored.size();
        const double left_out = share > 0.0 ? here.error_between(stored) : between(rate);
        auto rounded = coarsest(here, stored, left_out, bound, {}, tried, budget_);
        for (int round = 0; rounded; ++round) {
          auto clip = here.encoded(*rounded);
          if (!clip && share > 0.0) break;  // more frames than a map can name
          if (!clip) return fail(std::move(clip));
          const bool cheaper = best.empty() || clip->bytes() < best[0].clip.bytes();
          if (cheaper) best.assign(1, ChannelChoice{replanned(plan_, frames_[rate]), *std::move(clip), 0.0, false});
          if (round == kBalancings || !cheaper || budget_.is_spent()) break;
          budget_.spend(tried.looking);
          rounded = coarsest(here, stored, left_out, bound, balanced(here, *rounded, bound), tried, budget_);
        }
      }
      if (before != 0 && best[0].clip.bytes() == before) break;
    }
    return best;
  }

  const BoneBakeInputs& bake_;
  const ComparedPoints& extremes_;
  const ClipPlan& plan_;
  SearchBudget& budget_;
  std::vector<FramePlan> frames_;  // by rate
  std::map<std::size_t, ChannelMotion> motions_;
  std::map<std::size_t, double> between_;
};

bool is_better(const std::optional<ChannelChoice>& a, const std::optional<ChannelChoice>& b) {
  if (!a || !b) return a.has_value();
  return a->clip.bytes() < b->clip.bytes();
}

}  // namespace

Result<ChannelChoice> choose_channels(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                                      double bound_mm, SearchBudget& budget) {
  std::optional<ChannelChoice> best;
  double reached = std::numeric_limits<double>::infinity();
  std::vector<Search> searches;
  std::vector<std::vector<double>> series = rate_series(bake, plan);
  leave_out_dear(
      plan, [&](const FramePlan& frames) { return channel_trial(bake, extremes, plan, frames); }, budget, series);
  std::erase_if(series, [](const std::vector<double>& rates) { return rates.empty(); });
  for (const std::vector<double>& rates : series) {
    if (!searches.empty() && budget.stops()) break;
    Search& search = searches.emplace_back(bake, extremes, plan, rates, budget);
    THRONG_TRY(auto found, search.run(bound_mm));
    if (is_better(found, best)) best = std::move(found);
    if (!best && !budget.is_spent()) reached = std::min(reached, search.best_between());
    search.forget();
  }
  if (best) return *std::move(best);
  if (budget.is_spent()) return channels_as_planned(bake, extremes, plan, bound_mm, budget);
  // Where a clip jumps, no rate is enough, and the largest error says little of the rest of it. So frames leave out
  // hardly more than at the best rate there is, they are no fewer than clips usually have, and steps are as for others.
  std::optional<FramePlan> fewest;
  for (Search& search : searches) {
    const FramePlan frames = search.frames_for(kHardlyWorse * reached);
    search.forget();
    if (!fewest || frames.frame_count < fewest->frame_count) fewest = frames;
  }
  return channels_as_planned(bake, extremes, replanned(plan, fewest.value_or(plan.frames)), bound_mm, budget);
}

Result<ChannelChoice> channels_as_planned(const BoneBakeInputs& bake, const ComparedPoints& extremes,
                                          const ClipPlan& plan, double bound_mm, SearchBudget& budget) {
  const TrialCost cost = channel_trial(bake, extremes, plan, plan.frames);
  budget.spend(cost.making + cost.looking + cost.measuring);
  const ChannelMotion motion(bake, extremes, plan);
  const double bound = bound_mm / bake.mm_per_unit;
  const std::vector<std::uint32_t> stored = motion.every_frame();
  const double between = motion.error_between(stored);
  auto rounded = between < bound ? coarsest(motion, stored, between, bound, {}, cost, budget) : std::nullopt;
  // Whatever is lost between frames, at them it is within the bound, where steps can do that.
  for (int i = 0; i < kMostTries && !rounded; ++i) {
    budget.spend(cost.rounding + cost.looking);
    RoundedMotion tried = motion.rounded(stored, bound * std::pow(kFiner, i + 1), {});
    const bool close = motion.error_at_frames(tried) <= kForFrames * bound;
    if (close || i + 1 == kMostTries) rounded = std::move(tried);
  }
  const auto measured = [&](const RoundedMotion& motion_as_rounded) -> Result<ChannelChoice> {
    THRONG_TRY(EncodedClip clip, motion.encoded(motion_as_rounded));
    ChannelChoice choice{plan, std::move(clip), 0.0, false};
    measure_fully(bake, bound_mm, std::numeric_limits<double>::infinity(), choice);
    return choice;
  };
  THRONG_TRY(ChannelChoice choice, measured(*rounded));
  // Points that were not looked at may be off by more. Finer steps bring them in, whatever is left of the budget.
  const double finer = 0.98 * bound * std::max(bound_mm / choice.millimetres, 0.5);
  if (choice.kept || between >= finer) return choice;
  budget.spend(cost.measuring);
  const auto again = coarsest(motion, stored, between, finer, {}, cost, budget);
  if (!again) return choice;
  THRONG_TRY(ChannelChoice second, measured(*again));
  return second.kept ? std::move(second) : std::move(choice);
}

}  // namespace throng::detail::bake
