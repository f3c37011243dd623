// SPDX-License-Identifier: Apache-2.0
#include "fbx/animation/tangents.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace throng::detail::fbx {
namespace {

// A key between its neighbours, as slopes.
struct Place {
  std::optional<double> left;   // from the key before
  std::optional<double> right;  // to the key after
  double across = 0.0;          // from the one before to the one after
  double fraction = 0.0;        // of the way across
};

Place place_of(const std::vector<FileKey>& keys, std::size_t i) {
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (keys[b].value - keys[a].value) / (keys[b].time - keys[a].time);
  };
  Place place;
  if (i > 0) place.left = slope(i - 1, i);
  if (i + 1 < keys.size()) place.right = slope(i, i + 1);
  if (place.left && place.right) {
    place.across = slope(i - 1, i + 1);
    place.fraction = (keys[i].time - keys[i - 1].time) / (keys[i + 1].time - keys[i - 1].time);
  }
  return place;
}

// Steeper and the handle, which reaches `weight` of the way, would pass the neighbour's value.
double within_neighbours(double slope, const Place& place, double left_weight, double right_weight) {
  const double sign = slope >= 0.0 ? 1.0 : -1.0;
  const double left_most = left_weight > 0.0 ? sign * *place.left / left_weight : 0.0;
  const double right_most = right_weight > 0.0 ? sign * *place.right / right_weight : 0.0;
  return sign * std::max(0.0, std::min({sign * slope, left_most, right_most}));
}

// From five times the lean on, MotionBuilder adds a slope of its own, whatever the keys are.
double added_steepness(double lean) {
  constexpr double kSteepFrom = 5.0;
  constexpr double kSteepness = 40.0;  // per second, for the square of how many times the way it is more
  const double more = std::max(0.0, std::abs(lean) / 100.0 - kSteepFrom);
  return more * more * kSteepness;
}

// `lean`: percent of the way to the slope of the left (negative) or right neighbour, and on beyond it.
double leaning(double slope, const Place& place, double lean) {
  constexpr double kSameSlope = 1e-5;
  const double way = (lean > 0.0 ? *place.right : *place.left) - slope;
  const double direction = std::abs(way) > kSameSlope ? way : lean;
  return slope + way * std::abs(lean) / 100.0 + std::copysign(added_steepness(lean), direction);
}

// The slope of the first or last key, which has one neighbour.
double slope_at_end(const FileKey& key, double slope, double lean) {
  if (key.clamp_progressive || (key.clamp && slope == 0.0)) return 0.0;
  return key.time_independent ? slope : slope + std::copysign(added_steepness(lean), lean);
}

double automatic_slope(const std::vector<FileKey>& keys, std::size_t i, const Place& place, double lean) {
  const FileKey& key = keys[i];
  if (!place.left && !place.right) return 0.0;
  if (!place.left || !place.right) return slope_at_end(key, place.left ? *place.left : *place.right, lean);
  if (key.clamp && (*place.left == 0.0 || *place.right == 0.0)) return 0.0;
  double slope = place.across;
  if (!key.time_independent) {
    const double near = *place.left * (1.0 - place.fraction) + *place.right * place.fraction;
    slope = leaning(0.5 * (slope + near), place, lean);
  }
  if (!key.clamp_progressive) return slope;
  return within_neighbours(slope, place, keys[i - 1].next_weight, key.weight);
}

struct Slopes {
  double left = 0.0;
  double right = 0.0;
};

// Kochanek and Bartels.
Slopes tcb_slopes(const FileKey& key, const Place& place) {
  const double left = place.left.value_or(place.right.value_or(0.0));
  const double right = place.right.value_or(left);
  const double tension = 0.5 * (1.0 - key.right);
  const double continuity = key.next_left;
  const double bias = key.bias;
  return {tension * ((1.0 + bias) * (1.0 - continuity) * left + (1.0 - bias) * (1.0 + continuity) * right),
          tension * ((1.0 + bias) * (1.0 + continuity) * left + (1.0 - bias) * (1.0 - continuity) * right)};
}

Slopes slopes_of(const std::vector<FileKey>& keys, std::size_t i) {
  const FileKey& key = keys[i];
  const double left_told = i > 0 ? keys[i - 1].next_left : 0.0;
  if (key.tangent == Tangent::user) return {left_told, key.right};
  const Place place = place_of(keys, i);
  if (key.tangent == Tangent::tension_continuity_bias) return tcb_slopes(key, place);
  return {automatic_slope(keys, i, place, -left_told), automatic_slope(keys, i, place, key.right)};
}

}  // namespace

KeyCurve solve_tangents(const std::vector<FileKey>& keys) {
  KeyCurve curve;
  curve.keys.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Slopes slopes = slopes_of(keys, i);
    if (i > 0) curve.keys.back().next_slope = slopes.left;
    curve.keys.push_back({.time = keys[i].time,
                          .value = keys[i].value,
                          .segment = keys[i].segment,
                          .slope = slopes.right,
                          .next_slope = 0.0,
                          .weight = keys[i].weight,
                          .next_weight = keys[i].next_weight});
  }
  return curve;
}

}  // namespace throng::detail::fbx
