// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/frame_plan.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kMostFrames = 4294967000;  // what a frame count can hold
constexpr double kNearBelow = 0.75;         // of the wanted rate: what may be taken instead to stay on the keys
constexpr double kNearAbove = 1.5;          // the same above it
constexpr double kLowestCandidate = 4.9;    // frames a second; below it motion is no longer read as such
constexpr double kLeastStep = 1.1;          // from one multiple of the key rate that is tried to the next
constexpr double kCandidateStep = 1.25;     // where no keys say which rates are better than others

std::uint32_t whole_frames(double frames) {
  return static_cast<std::uint32_t>(std::clamp(std::round(frames), 0.0, kMostFrames));
}

// The rate nearest to `wanted` of all that skip keys evenly all the way, when it is near enough.
std::optional<double> rate_on_keys(double wanted, double key_rate, std::uint32_t intervals) {
  std::optional<double> best;
  const double most_skipped = std::min<double>(intervals, key_rate / (kNearBelow * wanted));
  for (std::uint32_t skipped = 1; skipped <= most_skipped; ++skipped) {
    const double rate = key_rate / skipped;
    if (intervals % skipped != 0 || rate > kNearAbove * wanted) continue;
    if (!best || std::abs(rate - wanted) < std::abs(*best - wanted)) best = rate;
  }
  return best;
}

// Ascending, and of rates that make as many frames only the first.
std::vector<double> tidied(std::vector<double> rates, double length) {
  std::sort(rates.begin(), rates.end());
  const auto frames = [length](double rate) { return std::max(1u, whole_frames(length * rate)); };
  const auto same = [&](double a, double b) { return frames(a) == frames(b); };
  rates.erase(std::unique(rates.begin(), rates.end(), same), rates.end());
  return rates;
}

}  // namespace

double FramePlan::time_of(std::uint32_t frame) const {
  const std::uint32_t intervals = loops ? frame_count : frame_count - 1;
  return intervals == 0 ? 0.0 : length * frame / intervals;
}

std::uint32_t key_intervals(double length, double key_rate) { return whole_frames(length * key_rate); }

double fitting_rate(double wanted, std::optional<double> key_rate, std::uint32_t intervals) {
  if (!key_rate) return wanted;
  if (*key_rate <= wanted) return std::max(1.0, std::round(wanted / *key_rate)) * *key_rate;
  const double fewest = std::floor(*key_rate / wanted);
  const double fewer_skipped = *key_rate / fewest;
  const double more_skipped = *key_rate / (fewest + 1.0);
  // On a tie the faster: it loses less.
  const bool fewer = fewer_skipped - wanted <= wanted - more_skipped;
  const double skipped = fewer ? fewest : fewest + 1.0;
  const double rate = *key_rate / skipped;
  if (intervals == 0 || std::fmod(intervals, skipped) == 0.0) return rate;
  return rate_on_keys(wanted, *key_rate, intervals).value_or(rate);
}

std::vector<double> candidate_rates(std::optional<double> key_rate, double length, double wanted, double highest) {
  if (!(length > 0.0)) return {wanted};
  const std::uint32_t intervals = key_rate ? key_intervals(length, *key_rate) : 0;
  std::vector<double> rates;
  const auto add = [&](double rate) {
    if (rate <= highest * (1.0 + 1e-9)) rates.push_back(rate);
  };
  if (key_rate) {
    for (double skipped = 2.0; *key_rate / skipped >= kLowestCandidate; skipped += 1.0) add(*key_rate / skipped);
    // Keys few and far between would have hundreds of multiples.
    for (double times = 1.0; times * *key_rate <= highest * (1.0 + 1e-9);
         times = std::max(times + 1.0, std::round(times * kLeastStep))) {
      add(times * *key_rate);
    }
  } else {
    for (double rate = wanted / kCandidateStep; rate >= kLowestCandidate; rate /= kCandidateStep) add(rate);
    for (double rate = wanted; rate <= highest * (1.0 + 1e-9); rate *= kCandidateStep) add(rate);
  }
  add(fitting_rate(wanted, key_rate, intervals));
  if (rates.empty()) rates.push_back(highest);
  return tidied(std::move(rates), length);
}

std::vector<double> candidate_rates(const Clip& clip, double wanted, double highest) {
  return candidate_rates(key_rate_of(clip), clip.length(), wanted, highest);
}

FramePlan plan_loop(double length, double rate) {
  if (!(length > 0.0)) return {};
  return {true, std::max(1u, whole_frames(length * rate)), length};
}

FramePlan plan_once(double length, double rate) {
  if (!(length > 0.0)) return {};
  return {false, std::max(2u, whole_frames(length * rate) + 1), length};
}

}  // namespace throng
