// SPDX-License-Identifier: Apache-2.0
#include "bones/rate_search.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::bake {
namespace {

constexpr double kHighestRate = 240.0;
constexpr std::size_t kMostOnKeys = 8;  // rates that are tried because they meet every key
constexpr double kOnKey = 0.01;         // of an interval that a frame may be beside its key
constexpr double kKeyRounding = 1e-5;   // seconds: key times are floats
constexpr double kHopeless = 1.1;       // of the bound at the frames themselves: no rate mends that
constexpr std::size_t kSamplesKept = 4;
constexpr std::uint64_t kManyItems = 1u << 16;  // columns times frames
constexpr std::uint32_t kFramesAtOnce = 16;     // before looking whether the bound is broken

std::uint64_t frame_words(const BoneBakeInputs& bake, Encoding encoding) {
  const std::size_t items = info_of(encoding).kind == ItemKind::slot
                                ? bake.skeleton->rotation_slots + bake.skeleton->translation_slots
                                : bake.columns.all.size();
  return words_per_frame(encoding, static_cast<std::uint32_t>(items), false);
}

// Keys that lie on no grid of their own may lie on a finer one: two takes at 24 a second, half a step apart, do on one
// of 48. There no corner that the source turns at a key is cut, however coarse the rates around it are.
std::vector<double> rates_on_keys(const ClipPlan& plan) {
  std::vector<double> keys;
  const auto add = [&keys](const std::vector<float>& times) { keys.insert(keys.end(), times.begin(), times.end()); };
  for (const BoneTrack& track : plan.clip.bones) {
    add(track.translation.times);
    add(track.rotation.times);
    add(track.scale.times);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const double length = plan.frames.length;
  std::vector<double> rates;
  for (double intervals = 1.0; intervals <= kHighestRate * length && rates.size() < kMostOnKeys; intervals += 1.0) {
    const double spacing = length / intervals;
    const bool all = std::all_of(keys.begin(), keys.end(), [&](double key) {
      const double steps = (key - plan.clip.start) / spacing;
      return std::abs(steps - std::round(steps)) * spacing <= std::max(kOnKey * spacing, kKeyRounding);
    });
    if (all) rates.push_back(1.0 / spacing);
  }
  return rates;
}

}  // namespace

std::vector<std::vector<double>> rate_series(const BoneBakeInputs& bake, const ClipPlan& plan) {
  if (plan.frames.frame_count <= 1) return {{0.0}};
  if (bake.settings.frame_rate) return {{rate_of(plan.frames)}};
  std::vector<std::vector<double>> series{candidate_rates(plan, kUsualFrameRate, kHighestRate)};
  if (!key_rate_of(plan.clip)) series.push_back(rates_on_keys(plan));
  return series;
}

TrialClip::TrialClip(const BoneBakeInputs& bake, const ComparedPoints& extremes, const ClipPlan& plan,
                     const std::vector<double>& rates, double bound_mm, SearchBudget& budget)
    : bake_(bake),
      extremes_(extremes),
      budget_(budget),
      bound_mm_(bound_mm),
      corners_(corners_of(plan.clip)),
      plan_(plan) {
  const bool one = plan.frames.frame_count <= 1;
  for (const double rate : rates) frames_.push_back(one ? plan.frames : replanned_frames(plan, rate));
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (frames_[i].frame_count <= plan.frames.frame_count) first_guess_ = i;
  }
}

std::uint64_t TrialClip::bytes(std::size_t rate, Encoding encoding) const {
  const std::uint32_t rows = table_rows(encoding, static_cast<std::uint32_t>(bake_.columns.all.size()),
                                        bake_.skeleton == nullptr ? 0 : bake_.skeleton->translation_slots);
  return 4 * frame_words(bake_, encoding) * frame_count(rate) + sizeof(glm::vec4) * rows;
}

const ColumnSamples& TrialClip::samples(std::size_t rate) {
  const auto found = samples_.find(rate);
  if (found != samples_.end()) return found->second;
  // Of long clips one rate's are enough to hold.
  const std::size_t kept = std::uint64_t{frame_count(rate)} * bake_.columns.all.size() > kManyItems ? 1 : kSamplesKept;
  while (samples_.size() >= kept) samples_.erase(samples_.begin());
  budget_.spend(column_trial(bake_, extremes_, plan_, frames_[rate]).making);
  return samples_.emplace(rate, sample_columns(bake_.source, plan(rate), bake_.columns.all)).first->second;
}

bool TrialClip::holds(std::size_t rate, Encoding encoding) {
  return info_of(encoding).kind == ItemKind::slot || !misfit_of(encoding, samples(rate));
}

TrialError TrialClip::measured(std::size_t rate, Encoding encoding, const ComparedPoints& points, bool quick,
                               double enough_mm) {
  const ClipPlan plan = this->plan(rate);
  const TrialCost cost = column_trial(bake_, extremes_, plan_, plan.frames);
  budget_.spend(cost.rounding + (quick ? cost.looking : cost.measuring));
  const CharacterDraft model = trial_model(bake_, plan, encode(bake_, plan, samples(rate), encoding));
  const CompareTask task{bake_.source, points, model, model.clips[0], plan, corners_, 1, quick};
  CompareResult result;
  TrialError error;
  for (std::uint32_t first = 0; first < plan.frames.frame_count && error.worst <= enough_mm; first += kFramesAtOnce) {
    compare_frames(task, first, std::min(kFramesAtOnce, plan.frames.frame_count - first), result);
    error.worst = std::sqrt(std::max(result.extremes.worst.squared, 0.0)) * bake_.mm_per_unit;
  }
  error.at_frames = result.at_frames.max() * bake_.mm_per_unit;
  return error;
}

TrialError TrialClip::quick(std::size_t rate, Encoding encoding) {
  return measured(rate, encoding, extremes_, true, std::numeric_limits<double>::infinity());
}

TrialError TrialClip::full(std::size_t rate, Encoding encoding) {
  return measured(rate, encoding, bake_.points, false, bound_mm_);
}

RateSearch::RateSearch(TrialClip& trial, Encoding encoding, std::uint64_t below)
    : trial_(&trial), encoding_(encoding), guess_(trial.first_guess()) {
  while (end_ < trial.rate_count() && trial.bytes(end_, encoding) < below) ++end_;
  passes_ = end_;
}

void RateSearch::see(std::size_t rate, double millimetres) {
  if (!(millimetres < best_mm_)) return;
  best_mm_ = millimetres;
  best_rate_ = rate;
}

// What is off at the frames is off at any rate; what is added between them falls with the square of the rate.
std::size_t RateSearch::guess_from(std::size_t rate, const TrialError& error) const {
  const double added = std::max(error.worst - error.at_frames, 0.0);
  const double allowed = std::max(trial_->bound_mm() - error.at_frames, 1e-3 * trial_->bound_mm());
  const double needed = trial_->frame_count(rate) * std::sqrt(added / allowed);
  std::size_t guess = 0;
  while (guess + 1 < trial_->rate_count() && trial_->frame_count(guess) < needed) ++guess;
  return guess;
}

void RateSearch::step() {
  const std::size_t rate = std::clamp(guess_, fails_, passes_ - 1);
  TrialError error{std::numeric_limits<double>::infinity(), 0.0};
  const bool holds = trial_->holds(rate, encoding_);
  if (holds) error = trial_->quick(rate, encoding_);
  see(rate, error.worst);
  if (error.worst <= trial_->bound_mm()) {
    passes_ = rate;
  } else if (error.at_frames > kHopeless * trial_->bound_mm()) {
    see(rate, error.at_frames);
    fails_ = end_;
  } else {
    fails_ = rate + 1;
  }
  guess_ = holds ? guess_from(rate, error) : rate + 1;
}

void RateSearch::look_at(std::size_t rate) {
  best_mm_ = std::numeric_limits<double>::infinity();
  if (trial_->holds(rate, encoding_)) see(rate, trial_->quick(rate, encoding_).worst);
}

double RateSearch::verify() {
  const std::size_t rate = lowest();
  const double mm = trial_->full(rate, encoding_).worst;
  if (mm <= trial_->bound_mm()) return mm;
  if (best_rate_ == rate) best_mm_ = mm;
  fails_ = rate + 1;
  passes_ = end_;
  guess_ = fails_;
  return mm;
}

}  // namespace throng::detail::bake
