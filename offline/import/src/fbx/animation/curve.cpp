// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/curve.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::fbx {
namespace {

double bezier(double p0, double p1, double p2, double p3, double u) {
  const double v = 1.0 - u;
  return v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3;
}

// Where on the segment a time lies: time is itself a Bézier curve, rising since the weights are within 0 and 1.
double parameter_at(double fraction, double weight, double next_weight) {
  const bool even = std::abs(weight - kUsualWeight) < 1e-4 && std::abs(next_weight - kUsualWeight) < 1e-4;
  if (even) return fraction;
  constexpr int kHalvings = 52;  // as far as a double can tell
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    const bool before = bezier(0.0, weight, 1.0 - next_weight, 1.0, middle) < fraction;
    (before ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double on_segment(const Key& from, const Key& to, double time) {
  const double seconds = to.time - from.time;
  const double fraction = (time - from.time) / seconds;
  switch (from.segment) {
    case Segment::constant:
      return from.value;
    case Segment::constant_next:
      return to.value;
    case Segment::linear:
      return from.value + (to.value - from.value) * fraction;
    case Segment::cubic:
      break;
  }
  const double out = from.value + from.slope * from.weight * seconds;
  const double in = to.value - from.next_slope * from.next_weight * seconds;
  return bezier(from.value, out, in, to.value, parameter_at(fraction, from.weight, from.next_weight));
}

}  // namespace

double value_at(const KeyCurve& curve, double time) {
  const auto& keys = curve.keys;
  const auto after =
      std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& key) { return t < key.time; });
  if (after == keys.begin()) return keys.front().value;
  const Key& from = *(after - 1);
  if (after == keys.end() || time == from.time) return from.value;
  return on_segment(from, *after, time);
}

}  // namespace throng::detail::fbx
