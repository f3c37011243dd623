#include "rate_search.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kHighestRate = 240.0;
constexpr double kHopeless = 1.1;  // of the bound at the frames themselves: no rate mends that
constexpr std::size_t kMotionsKept = 4;
constexpr std::uint32_t kFramesAtOnce = 16;  // before looking whether the bound is broken

std::uint64_t frame_words(const BoneBake& bake, Encoding encoding) {
  const std::size_t items = encoding == Encoding::local8
                                ? bake.skeleton->rotation_slots + bake.skeleton->translation_slots
                                : bake.columns.all.size();
  return words_per_frame(encoding, static_cast<std::uint32_t>(items), false);
}

}  // namespace

TrialClip::TrialClip(const BoneBake& bake, const ComparedPoints& extremes, const ClipPlan& plan, double bound_mm)
    : bake_(bake), extremes_(extremes), bound_mm_(bound_mm) {
  if (plan.frames.frame_count > 1) {
    for (const double rate : candidate_rates(plan, bake.settings.frame_rate, kHighestRate)) {
      plans_.push_back(replanned(plan, rate));
    }
  }
  if (plans_.empty()) plans_.push_back(plan);
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].frames.frame_count <= plan.frames.frame_count) first_guess_ = i;
  }
}

std::uint64_t TrialClip::bytes(std::size_t rate, Encoding encoding) const {
  const std::uint32_t rows = table_rows(encoding, static_cast<std::uint32_t>(bake_.columns.all.size()),
                                        bake_.skeleton == nullptr ? 0 : bake_.skeleton->translation_slots);
  return 4 * frame_words(bake_, encoding) * plans_[rate].frames.frame_count + sizeof(glm::vec4) * rows;
}

const ClipMotion& TrialClip::motion(std::size_t rate) {
  const auto found = motions_.find(rate);
  if (found != motions_.end()) return found->second;
  if (motions_.size() == kMotionsKept) motions_.erase(motions_.begin());
  return motions_.emplace(rate, move_columns(bake_.source, plans_[rate], bake_.columns.all)).first->second;
}

bool TrialClip::holds(std::size_t rate, Encoding encoding) {
  return encoding == Encoding::local8 || !misfit_of(encoding, motion(rate));
}

TrialError TrialClip::measured(std::size_t rate, Encoding encoding, const ComparedPoints& points, int step,
                               double enough_mm) {
  const ClipPlan& plan = plans_[rate];
  const BakedModel model = trial_model(bake_, plan, encode(bake_, plan, motion(rate), encoding));
  const CompareTask task{bake_.source, points, model, model.clips[0], plan, 1, step};
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
  return measured(rate, encoding, extremes_, 2, std::numeric_limits<double>::infinity());
}

TrialError TrialClip::full(std::size_t rate, Encoding encoding) {
  return measured(rate, encoding, bake_.points, 1, bound_mm_);
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
  const double needed = trial_->plan(rate).frames.frame_count * std::sqrt(added / allowed);
  std::size_t guess = 0;
  while (guess + 1 < trial_->rate_count() && trial_->plan(guess).frames.frame_count < needed) ++guess;
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
  } else {
    fails_ = error.at_frames > kHopeless * trial_->bound_mm() ? trial_->rate_count() : rate + 1;
  }
  guess_ = holds ? guess_from(rate, error) : rate + 1;
}

double RateSearch::verify() {
  const std::size_t rate = lowest();
  const double mm = trial_->full(rate, encoding_).worst;
  if (mm <= trial_->bound_mm()) return mm;
  if (best_rate_ == rate) best_mm_ = mm;
  fails_ = rate + 1;
  passes_ = trial_->rate_count();
  guess_ = fails_;
  return mm;
}

}  // namespace throng
