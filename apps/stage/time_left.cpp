// SPDX-License-Identifier: Apache-2.0
#include "time_left.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace {

constexpr double kTooEarly = 1.0;    // seconds in which nothing is told
constexpr double kTooLittle = 0.02;  // of the first phase, of which there is nothing else to go by

// In how many seconds two thirds of what was learned is followed: in work of seconds, or near its end, there is no time
// for more.
constexpr double kFollowFastest = 0.3;
constexpr double kFollowSlowest = 3.0;
constexpr double kFollowShare = 0.1;  // of what has gone by, or of what is left

}  // namespace

void TimeLeft::see(double now, std::string_view phase, double done) {
  if (!any_) begun_ = now;
  any_ = true;
  const auto found = std::find_if(phases_.begin(), phases_.end(), [&](const Phase& p) { return p.name == phase; });
  std::optional<std::size_t> which;
  if (found != phases_.end()) which = static_cast<std::size_t>(found - phases_.begin());
  if (which != current_ || (which && done < done_)) {
    if (current_) {
      past_seconds_ += now - phase_begun_;
      // Done twice, it has had its weight already.
      if (!seen_before_[*current_]) past_weight_ += phases_[*current_].weight;
      seen_before_[*current_] = true;
    }
    current_ = which;
    phase_begun_ = now;
    done_ = 0.0;
  }
  done_ = std::clamp(done, 0.0, 1.0);
  seen_ = now;
}

std::optional<double> TimeLeft::estimate(double now) const {
  if (!current_ || now - begun_ < kTooEarly || done_ <= 0.0) return std::nullopt;
  if (done_ < kTooLittle && past_weight_ <= 0.0) return std::nullopt;
  const double weight = phases_[*current_].weight;
  double phase_seconds = (seen_ - phase_begun_) / done_;
  // At its very beginning its own pace tells little: what is before it tells more.
  if (past_weight_ > 0.0 && done_ < 0.1) {
    const double expected = past_seconds_ * weight / past_weight_;
    phase_seconds = std::lerp(expected, phase_seconds, done_ / 0.1);
  }
  // One that has stood still since has fallen behind.
  phase_seconds = std::max(phase_seconds, now - phase_begun_);
  double later = 0.0;
  for (std::size_t i = *current_ + 1; i < phases_.size(); ++i) later += seen_before_[i] ? 0.0 : phases_[i].weight;
  const double known_weight = past_weight_ + (seen_before_[*current_] ? 0.0 : weight);
  const double known_seconds = past_seconds_ + phase_seconds;
  return phase_begun_ + phase_seconds - now + (known_weight > 0.0 ? known_seconds * later / known_weight : 0.0);
}

std::optional<double> TimeLeft::at(double now) {
  const std::optional<double> learned = estimate(now);
  if (!learned) {
    told_.reset();
    return std::nullopt;
  }
  if (told_) {
    const double since = now - told_at_;
    const double counted = std::max(*told_ - since, 0.0);
    const double follow = std::clamp(kFollowShare * std::min(now - begun_, *learned), kFollowFastest, kFollowSlowest);
    told_ = std::lerp(counted, *learned, 1.0 - std::exp(-since / follow));
  } else {
    told_ = *learned;
  }
  told_at_ = now;
  return std::max(*told_, 0.0);
}

namespace {

std::string time_text(long seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds >= 3600) return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
  if (seconds % 60 == 0) return fmt::format("{} min", seconds / 60);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

}  // namespace

std::string readable_time(double seconds) {
  const double step = seconds < 20.0 ? 1.0 : seconds < 57.5 ? 5.0 : seconds < 600.0 ? 10.0 : 60.0;
  return time_text(std::max(static_cast<long>(std::round(seconds / step) * step), 1L));
}

std::string readable_elapsed(double seconds) { return time_text(static_cast<long>(seconds)); }
