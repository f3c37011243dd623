// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/single_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::detail::gltf {
namespace {

constexpr std::size_t kValuesOfCubicKey = 3;

// What a curve does at a moment; slopes are per second.
struct Moment {
  double slope_before = 0.0;
  double value = 0.0;
  double slope_after = 0.0;
};

double value_of(const Curve<float>& curve, std::size_t key) {
  return curve.interpolation == Interpolation::cubic_spline ? curve.values[key * kValuesOfCubicKey + 1]
                                                            : curve.values[key];
}

// Between a key and the next, `fraction` of the way: the value, and the slope on both sides.
Moment moment_between(const Curve<float>& curve, std::size_t key, double fraction) {
  const double from = value_of(curve, key);
  const double to = value_of(curve, key + 1);
  const double seconds = static_cast<double>(curve.times[key + 1]) - static_cast<double>(curve.times[key]);
  if (curve.interpolation == Interpolation::step) return {0.0, from, 0.0};
  if (curve.interpolation == Interpolation::linear) {
    const double slope = (to - from) / seconds;
    return {slope, from + (to - from) * fraction, slope};
  }
  const double leaves = curve.values[key * kValuesOfCubicKey + 2] * seconds;
  const double arrives = curve.values[(key + 1) * kValuesOfCubicKey] * seconds;
  // The cubic's coefficients.
  const double square = 3.0 * (to - from) - 2.0 * leaves - arrives;
  const double cube = 2.0 * (from - to) + leaves + arrives;
  const double slope = (leaves + fraction * (2.0 * square + fraction * 3.0 * cube)) / seconds;
  return {slope, from + fraction * (leaves + fraction * (square + fraction * cube)), slope};
}

Moment moment_at(const Curve<float>& curve, float time) {
  const auto above = std::upper_bound(curve.times.begin(), curve.times.end(), time);
  if (above == curve.times.begin()) return {0.0, value_of(curve, 0), 0.0};
  const auto key = static_cast<std::size_t>(above - curve.times.begin()) - 1;
  const bool last = above == curve.times.end();
  if (time == curve.times[key]) {
    return {key == 0 ? 0.0 : moment_between(curve, key - 1, 1.0).slope_before, value_of(curve, key),
            last ? 0.0 : moment_between(curve, key, 0.0).slope_after};
  }
  if (last) return {0.0, value_of(curve, key), 0.0};
  const double from = curve.times[key];
  return moment_between(curve, key, (time - from) / (static_cast<double>(*above) - from));
}

Interpolation common_interpolation(const std::vector<SingleWeight>& singles) {
  bool steps_only = true;
  for (const SingleWeight& single : singles) {
    if (single.weights.interpolation == Interpolation::cubic_spline) return Interpolation::cubic_spline;
    steps_only = steps_only && single.weights.interpolation == Interpolation::step;
  }
  return steps_only ? Interpolation::step : Interpolation::linear;
}

std::vector<float> common_times(const std::vector<SingleWeight>& singles, Interpolation interpolation) {
  std::vector<float> times;
  for (const SingleWeight& single : singles) {
    const Curve<float>& curve = single.weights;
    times.insert(times.end(), curve.times.begin(), curve.times.end());
    if (curve.interpolation != Interpolation::step || interpolation == Interpolation::step) continue;
    for (std::size_t key = 1; key < curve.times.size(); ++key) times.push_back(std::nextafter(curve.times[key], 0.0f));
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

float to_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

}  // namespace

Curve<float> joined_weights(const std::vector<float>& rest, const std::vector<SingleWeight>& singles) {
  Curve<float> joined{common_interpolation(singles), {}, {}};
  joined.times = common_times(singles, joined.interpolation);
  const bool cubic = joined.interpolation == Interpolation::cubic_spline;
  const std::size_t targets = rest.size();
  joined.values.reserve(joined.times.size() * targets * (cubic ? kValuesOfCubicKey : 1));
  const std::vector<float> level(targets, 0.0f);
  for (std::size_t key = 0; key < joined.times.size(); ++key) {
    if (cubic) joined.values.insert(joined.values.end(), level.begin(), level.end());
    joined.values.insert(joined.values.end(), rest.begin(), rest.end());
    if (cubic) joined.values.insert(joined.values.end(), level.begin(), level.end());
  }
  for (const SingleWeight& single : singles) {
    if (single.target >= targets) continue;
    for (std::size_t key = 0; key < joined.times.size(); ++key) {
      const Moment moment = moment_at(single.weights, joined.times[key]);
      float* values = joined.values.data() + key * targets * (cubic ? kValuesOfCubicKey : 1) + single.target;
      if (!cubic) {
        *values = to_float(moment.value);
        continue;
      }
      values[0] = to_float(moment.slope_before);
      values[targets] = to_float(moment.value);
      values[2 * targets] = to_float(moment.slope_after);
    }
  }
  return joined;
}

std::uint64_t joined_weight_bytes(std::uint64_t keys, std::uint64_t targets) {
  constexpr std::uint64_t kKeysOfStep = 2;
  return kKeysOfStep * keys * sizeof(float) * (2 + kValuesOfCubicKey * targets);
}

}  // namespace throng::detail::gltf
