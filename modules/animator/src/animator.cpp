#include "throng/animator/animator.h"

#include <algorithm>
#include <cmath>

#include "throng/pose/blend.h"

namespace throng {

Result<void> Animator::play(const Transition& transition) {
  if (transition.clip >= model_->clips().size()) {
    return fail("clip {} does not exist; the model has {}", transition.clip, model_->clips().size());
  }
  if (!std::isfinite(transition.fade) || transition.fade < 0.0)
    return fail("a fade of {} s is not possible", transition.fade);
  if (!std::isfinite(transition.speed) || !std::isfinite(transition.offset)) {
    return fail("the speed or offset is not finite");
  }
  fading_from_ = pose_;
  faded_ = 0.0;
  playing_ = transition;
  time_ = model_->clips()[transition.clip].start;
  step_time(transition.offset);
  advance(0.0);
  return {};
}

double Animator::fade_weight() const {
  if (!playing_ || playing_->fade <= 0.0) return 1.0;
  return std::min(1.0, faded_ / playing_->fade);
}

// Moves within [start, end] and holds the phase, not the time gone by, so that hours lose no precision.
void Animator::step_time(double dt) {
  const Clip& clip = model_->clips()[playing_->clip];
  const bool loops = playing_->loops.value_or(clip.loops.value_or(true));
  const double local = time_ - clip.start + dt;
  if (!loops || clip.length() <= 0.0) {
    time_ = clip.start + std::clamp(local, 0.0, clip.length());
  } else {
    time_ = clip.start + (local - std::floor(local / clip.length()) * clip.length());
  }
}

void Animator::advance(double dt) {
  if (!playing_) return;
  const double step = std::isfinite(dt) && dt > 0.0 ? dt : 0.0;
  step_time(step * playing_->speed);
  faded_ += step;
  pose_ = sample(*model_, model_->clips()[playing_->clip], time_);
  if (const double weight = fade_weight(); weight < 1.0) pose_ = blend_poses(fading_from_, pose_, weight);
}

}  // namespace throng
