// SPDX-License-Identifier: Apache-2.0
#include "curve_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::detail::motion {
namespace {

// A curve that stays this part of the tolerance around its first value is noise of the exporter's.
constexpr double kNoise = 0.1;

// Straight between two unit quaternions h radians apart, made unit again, runs ahead of the even rotation by at most
// h³ · f(1 − f)(1 − 2f) / 6 radians of the quaternion, f being the fraction; that is largest at f ≈ 0.211, and the
// angle of a rotation is twice its quaternion's.
constexpr double kRunsAhead = 2.0 * 0.0962251 / 6.0;

double time_of(const Knot& knot) {
  return knot.before ? std::nextafter(knot.time, -std::numeric_limits<double>::infinity()) : knot.time;
}

double gap(const glm::dvec3& a, const glm::dvec3& b) { return glm::length(b - a); }

// The angle between two rotations, exact for small ones too.
double gap(const glm::dquat& a, const glm::dquat& b) {
  const double apart = std::min(glm::length(b - a), glm::length(b + a));
  return 4.0 * std::asin(std::min(1.0, 0.5 * apart));
}

glm::dvec3 straight(const glm::dvec3& a, const glm::dvec3& b, double f) { return a + (b - a) * f; }

glm::dquat straight(const glm::dquat& a, const glm::dquat& b, double f) {
  return glm::normalize(a * (1.0 - f) + b * (glm::dot(a, b) < 0.0 ? -f : f));
}

template <class ValueAt>
bool is_straight(const ValueAt& value_at_time, double from, double to, double tolerance) {
  const auto a = value_at_time(from);
  const auto b = value_at_time(to);
  for (const double f : {0.25, 0.5, 0.75}) {
    if (gap(value_at_time(from + (to - from) * f), straight(a, b, f)) > tolerance) return false;
  }
  return true;
}

template <class ValueAt>
std::uint32_t pieces_of_spline(const ValueAt& value_at_time, double from, double to, double tolerance) {
  constexpr double kBetweenLooks = 0.9;  // the error is seen at three points of a piece; its peak lies nearby
  // One and a half times as many each time: 1, 2, 3, 5, 8, 12, …
  for (std::uint32_t count = 1; count < kMostPieces; count += (count + 1) / 2) {
    bool fits = true;
    for (std::uint32_t i = 0; fits && i < count; ++i) {
      const double step = (to - from) / count;
      fits = is_straight(value_at_time, from + step * i, from + step * (i + 1), kBetweenLooks * tolerance);
    }
    if (fits) return count;
  }
  return kMostPieces;
}

// Calls `check` with every value of a curve and, for splines, with every place its tangents may lead to.
template <class T, class Check>
bool every_value(const Curve<T>& curve, const Check& check) {
  if (curve.interpolation != Interpolation::cubic_spline) {
    return std::all_of(curve.values.begin(), curve.values.end(), check);
  }
  double longest = 0.0;
  for (std::size_t key = 1; key < curve.times.size(); ++key) {
    longest = std::max(longest, static_cast<double>(curve.times[key]) - static_cast<double>(curve.times[key - 1]));
  }
  const auto reach = static_cast<float>(longest);
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    const T& value = curve.values[3 * key + 1];
    if (!check(value) || !check(value + curve.values[3 * key] * reach) ||
        !check(value + curve.values[3 * key + 2] * reach)) {
      return false;
    }
  }
  return true;
}

template <class T>
const T& first_value(const Curve<T>& curve) {
  return curve.values[curve.interpolation == Interpolation::cubic_spline ? 1 : 0];
}

}  // namespace

Curve<glm::vec3> weight_curve(const Curve<float>& weights, std::size_t targets, std::size_t target) {
  Curve<glm::vec3> out{weights.interpolation, weights.times, {}};
  for (std::size_t i = target; i < weights.values.size(); i += targets)
    out.values.emplace_back(weights.values[i], 0, 0);
  return out;
}

bool is_still(const Curve<glm::vec3>& curve, double tolerance) {
  const glm::dvec3 first(first_value(curve));
  return every_value(curve, [&](const glm::vec3& v) { return gap(first, glm::dvec3(v)) <= kNoise * tolerance; });
}

bool is_still(const Curve<glm::quat>& curve, double tolerance) {
  const glm::dquat first = glm::normalize(glm::dquat(first_value(curve)));
  return every_value(
      curve, [&](const glm::quat& v) { return gap(first, glm::normalize(glm::dquat(v))) <= kNoise * tolerance; });
}

glm::dvec3 value_at(const Curve<glm::vec3>& curve, const Knot& knot) { return sample_curve(curve, time_of(knot)); }
glm::dquat value_at(const Curve<glm::quat>& curve, const Knot& knot) { return sample_curve(curve, time_of(knot)); }

std::uint32_t pieces(const Curve<glm::vec3>& curve, const Knot& from, const Knot& to, double tolerance) {
  if (curve.interpolation != Interpolation::cubic_spline) return 1;
  return pieces_of_spline([&](double time) { return sample_curve(curve, time); }, from.time, time_of(to), tolerance);
}

std::uint32_t pieces(const Curve<glm::quat>& curve, const Knot& from, const Knot& to, double tolerance) {
  if (curve.interpolation == Interpolation::step) return 1;
  if (curve.interpolation == Interpolation::cubic_spline) {
    return pieces_of_spline([&](double time) { return sample_curve(curve, time); }, from.time, time_of(to), tolerance);
  }
  return pieces_between(value_at(curve, from), value_at(curve, to), tolerance);
}

std::uint32_t pieces_between(const glm::dvec3&, const glm::dvec3&, double) { return 1; }

std::uint32_t pieces_between(const glm::dquat& from, const glm::dquat& to, double tolerance) {
  const double arc = 0.5 * gap(from, to);
  const double count = std::ceil(arc * std::cbrt(kRunsAhead / tolerance));
  return static_cast<std::uint32_t>(std::clamp(count, 1.0, static_cast<double>(kMostPieces)));
}

}  // namespace throng::detail::motion
