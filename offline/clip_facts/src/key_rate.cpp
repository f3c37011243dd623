// SPDX-License-Identifier: Apache-2.0
#include "throng/clip_facts/key_rate.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

constexpr double kGridTolerance = 0.02;      // of the grid's spacing
constexpr double kFloatTimeError = 1e-5;     // seconds: key times are floats
constexpr double kHighestKeyRate = 500.0;    // keys nearer than this are two edits of one key, not a rate
constexpr double kHighestSparseRate = 60.0;  // of a grid with most keys missing; finer ones fit any times by chance

std::vector<double> key_times(const Clip& clip) {
  std::vector<double> times;
  const auto add = [&times](const std::vector<float>& keys) { times.insert(times.end(), keys.begin(), keys.end()); };
  for (const BoneTrack& track : clip.bones) {
    add(track.translation.times);
    add(track.rotation.times);
    add(track.scale.times);
  }
  for (const MorphTrack& track : clip.morphs) add(track.weights.times);
  std::sort(times.begin(), times.end());
  const auto same = [](double a, double b) { return b - a <= kFloatTimeError; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

bool on_grid(const std::vector<double>& times, double start, double spacing) {
  const double tolerance = std::max(kGridTolerance * spacing, kFloatTimeError);
  return std::all_of(times.begin(), times.end(), [&](double time) {
    const double offset = time - start;
    return std::abs(offset - std::round(offset / spacing) * spacing) <= tolerance;
  });
}

}  // namespace

std::optional<double> key_rate_of(const Clip& clip) {
  const std::vector<double> times = key_times(clip);
  if (times.size() < 2 || !(clip.length() > 0.0)) return std::nullopt;
  double nearest = clip.length();
  for (std::size_t i = 1; i < times.size(); ++i) nearest = std::min(nearest, times[i] - times[i - 1]);
  if (nearest < 1.0 / kHighestKeyRate) return std::nullopt;
  // Every place has a key; or the two nearest keys are neighbours; or even they are some places apart.
  const auto fits = [&](double cells) { return on_grid(times, clip.start, clip.length() / cells); };
  if (const auto cells = static_cast<double>(times.size() - 1); fits(cells)) return cells / clip.length();
  const double steps = std::round(clip.length() / nearest);
  if (fits(steps)) return steps / clip.length();
  for (double apart = 2.0; apart / nearest <= kHighestSparseRate * (1.0 + kGridTolerance); apart += 1.0) {
    const double cells = std::round(clip.length() * apart / nearest);
    if (fits(cells)) return cells / clip.length();
  }
  return std::nullopt;
}

}  // namespace throng
