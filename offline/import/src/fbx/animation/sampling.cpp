// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/base/try.h"

namespace throng::detail::fbx {
namespace {

// Moments nearer than this part of a frame are one.
constexpr double kSameFrame = 0.02;
// How far beside a step its other side is looked at, in seconds: less than any two keys are apart.
constexpr double kBeside = 1e-9;

enum class Side : std::uint8_t { before, at, after };

struct Moment {
  double time;
  Side side;

  bool operator<(const Moment& other) const {
    return time != other.time ? time < other.time : static_cast<int>(side) < static_cast<int>(other.side);
  }
  bool operator==(const Moment& other) const { return time == other.time && side == other.side; }
};

void add_keys(const KeyCurve& curve, const Span& span, std::vector<Moment>& moments) {
  const auto add = [&](double time, Side side) {
    if (time >= span.start && time <= span.end) moments.push_back({time, side});
  };
  for (std::size_t i = 0; i < curve.keys.size(); ++i) {
    const Key& key = curve.keys[i];
    add(key.time, Side::at);
    if (i + 1 == curve.keys.size()) break;
    if (key.segment == Segment::constant) add(curve.keys[i + 1].time, Side::before);
    if (key.segment == Segment::constant_next) add(key.time, Side::after);
  }
  if (curve.keys.front().time < span.start) add(span.start, Side::at);
  if (curve.keys.back().time > span.end) add(span.end, Side::at);
}

// The whole frames between two moments, but for those next to one of them.
void add_frames(double from, double to, double rate, std::vector<Moment>& moments) {
  if ((to - from) * rate <= 1.0 + kSameFrame) return;
  const double first = std::floor(from * rate + kSameFrame) + 1.0;
  const double last = std::ceil(to * rate - kSameFrame) - 1.0;
  for (double frame = first; frame <= last; frame += 1.0) moments.push_back({frame / rate, Side::at});
}

float steps_from(float time, int steps) {
  constexpr float kFar = std::numeric_limits<float>::max();
  for (int i = 0; i < std::abs(steps); ++i) time = std::nextafter(time, steps < 0 ? -kFar : kFar);
  return time;
}

// A step takes place between the first and second float beside its moment, so that whoever asks for the moment itself,
// rounded either way, gets the key's value.
void add_samples(const Moment& moment, double shift, std::vector<Sample>& samples) {
  const auto add = [&](double at, float time) {
    if (time >= 0.0f && (samples.empty() || time > samples.back().time)) samples.push_back({at, time});
  };
  const auto time = static_cast<float>(moment.time + shift);
  if (moment.side == Side::before) {
    add(moment.time - kBeside, steps_from(time, -2));
    add(moment.time, steps_from(time, -1));
  } else if (moment.side == Side::after) {
    add(moment.time, steps_from(time, 1));
    add(moment.time + kBeside, steps_from(time, 2));
  } else {
    add(moment.time, time);
  }
}

}  // namespace

std::vector<Sample> sample_moments(const std::vector<const KeyCurve*>& curves, const Sampling& sampling) {
  std::vector<Moment> keys;
  for (const KeyCurve* curve : curves) add_keys(*curve, sampling.span, keys);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && sampling.frame_rate > 0.0) add_frames(keys[i - 1].time, keys[i].time, sampling.frame_rate, moments);
    moments.push_back(keys[i]);
  }
  std::vector<Sample> samples;
  samples.reserve(moments.size());
  for (const Moment& moment : moments) add_samples(moment, sampling.shift, samples);
  return samples;
}

Result<void> add_between_turns(std::vector<Sample>& samples, const std::vector<double>& turns, import::Budget& budget) {
  constexpr double kFarthest = 120.0;  // degrees; from 180 on the short way round is the other
  constexpr double kMost = 64.0;
  // Into how many parts the way to a sample is cut.
  const auto parts_to = [&](std::size_t i) {
    double widest = 0.0;
    for (std::size_t c = 0; c < 3; ++c) widest = std::max(widest, std::abs(turns[i * 3 + c] - turns[i * 3 - 3 + c]));
    return std::clamp(std::ceil(widest / kFarthest), 1.0, kMost);
  };
  double count = 1.0;
  for (std::size_t i = 1; i < samples.size(); ++i) count += parts_to(i);
  THRONG_CHECK(budget.lend(static_cast<std::uint64_t>(count) * sizeof(Sample), "clips"));
  std::vector<Sample> all;
  all.reserve(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i > 0) {
      const Sample& from = samples[i - 1];
      const Sample& to = samples[i];
      const double parts = parts_to(i);
      for (double part = 1.0; part < parts; part += 1.0) {
        const double fraction = part / parts;
        const auto time =
            static_cast<float>(static_cast<double>(from.time) + fraction * static_cast<double>(to.time - from.time));
        if (time <= all.back().time || time >= to.time) break;
        all.push_back({from.moment + fraction * (to.moment - from.moment), time});
      }
    }
    all.push_back(samples[i]);
  }
  samples = std::move(all);
  return {};
}

}  // namespace throng::detail::fbx
