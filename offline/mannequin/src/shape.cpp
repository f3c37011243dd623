// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "field.h"
#include "skeleton.h"

namespace throng::detail::mannequin {
namespace {

using glm::dvec3;
using L = Landmarks;

const dvec3 kForward{0.0, 0.0, 1.0};

// A point of the left hand or arm: along the arm from the wrist, out of the palm, towards the thumb.
dvec3 at_hand(double along, double palmward, double thumbward) {
  return L::wrist() + L::arm_direction() * along + L::palm_normal() * palmward + kForward * thumbward;
}

double head_distance(const dvec3& p) {
  double d = ellipsoid_distance(p, {0.0, 1.699, -0.014}, {0.0775, 0.101, 0.098});
  d = smooth_min(d, ellipsoid_distance(p, {0.0, 1.660, 0.026}, {0.063, 0.080, 0.062}), 0.045);
  d = smooth_min(d, cone_distance(p, {0.0, 1.604, 0.052}, {0.014, 1.598, 0.052}, 0.033, 0.029), 0.050);
  d = smooth_min(d, cone_distance(p, {0.044, 1.650, -0.006}, {0.024, 1.606, 0.040}, 0.022, 0.019), 0.040);
  return smooth_min(d, ellipsoid_distance(p, {0.0745, 1.684, -0.014}, {0.0110, 0.027, 0.026}), 0.012);
}

double torso_distance(const dvec3& p) {
  static const Loft trunk({0.0, 0.0, -0.012}, {0.0, 1.0, 0.0}, kForward,
                          {{0.860, 0.104, 0.070, 0.078},
                           {0.900, 0.138, 0.090, 0.100},
                           {0.950, 0.151, 0.098, 0.108},
                           {1.000, 0.147, 0.099, 0.098},
                           {1.060, 0.131, 0.095, 0.085},
                           {1.120, 0.121, 0.092, 0.080},
                           {1.180, 0.126, 0.098, 0.086},
                           {1.250, 0.142, 0.110, 0.098},
                           {1.320, 0.155, 0.117, 0.106},
                           {1.380, 0.158, 0.111, 0.107},
                           {1.430, 0.142, 0.092, 0.097},
                           {1.470, 0.104, 0.068, 0.080},
                           {1.500, 0.070, 0.052, 0.064}});
  static const Loft neck({0.0, 1.430, -0.034}, {0.0, 0.170, 0.034}, kForward,
                         {{0.000, 0.070, 0.060, 0.066},
                          {0.050, 0.062, 0.056, 0.058},
                          {0.100, 0.0555, 0.053, 0.054},
                          {0.200, 0.054, 0.054, 0.056}});
  double d = trunk.distance(p);
  d = smooth_min(d, ellipsoid_distance(p, {0.072, 1.352, 0.052}, {0.082, 0.060, 0.048}), 0.060);
  d = smooth_min(d, ellipsoid_distance(p, {0.068, 0.920, -0.060}, {0.076, 0.085, 0.066}), 0.050);
  d = smooth_min(d, cone_distance(p, {0.026, 1.492, -0.036}, {0.170, 1.448, -0.020}, 0.030, 0.044), 0.080);
  d = smooth_min(d, ellipsoid_distance(p, {0.0, 0.880, -0.012}, {0.060, 0.056, 0.072}), 0.040);
  return smooth_min(d, neck.distance(p), 0.045);
}

double arm_distance(const dvec3& p) {
  static const Loft upper(L::shoulder, L::elbow() - L::shoulder, kForward,
                          {{0.000, 0.048, 0.054, 0.052},
                           {0.060, 0.050, 0.055, 0.053},
                           {0.120, 0.045, 0.050, 0.048},
                           {0.170, 0.042, 0.049, 0.044},
                           {0.230, 0.038, 0.042, 0.041},
                           {0.290, 0.036, 0.037, 0.040}});
  static const Loft lower(L::elbow(), L::wrist() - L::elbow(), kForward,
                          {{-0.01, 0.036, 0.037, 0.040},
                           {0.045, 0.042, 0.041, 0.040},
                           {0.090, 0.041, 0.041, 0.038},
                           {0.150, 0.033, 0.036, 0.033},
                           {0.210, 0.0255, 0.031, 0.028},
                           {0.262, 0.022, 0.029, 0.027}});
  const dvec3 out = -L::palm_normal();
  const dvec3 deltoid = L::shoulder + L::arm_direction() * 0.022 + out * 0.010;
  double d = smooth_min(upper.distance(p), lower.distance(p), 0.020);
  return smooth_min(
      d, cone_distance(p, deltoid - L::arm_direction() * 0.018, deltoid + L::arm_direction() * 0.070, 0.060, 0.044),
      0.030);
}

double finger_distance(const dvec3& p, double spread, double length, double radius) {
  const dvec3 knuckle = at_hand(L::palm - 0.006, 0.0, spread);
  const dvec3 middle = at_hand(L::palm + 0.52 * length, 0.006, spread * 1.12);
  const dvec3 tip = at_hand(L::palm + 0.96 * length, 0.022, spread * 1.17);
  return std::min(cone_distance(p, knuckle, middle, radius, radius * 0.94),
                  cone_distance(p, middle, tip, radius * 0.94, radius * 0.76));
}

double hand_distance(const dvec3& p) {
  static const Loft palm(L::wrist(), L::arm_direction(), kForward,
                         {{-0.020, 0.021, 0.028, 0.026},
                          {0.020, 0.018, 0.033, 0.031},
                          {0.060, 0.0165, 0.039, 0.039},
                          {0.092, 0.0125, 0.038, 0.037}});
  if (glm::dot(p - L::wrist(), L::arm_direction()) < -0.10) return 0.1;
  double d = palm.distance(p);
  // Far enough apart for the grid to see between them.
  double fingers = finger_distance(p, 0.0325, 0.074, 0.0087);
  fingers = std::min(fingers, finger_distance(p, 0.0108, 0.084, 0.0090));
  fingers = std::min(fingers, finger_distance(p, -0.0108, 0.078, 0.0088));
  fingers = std::min(fingers, finger_distance(p, -0.0318, 0.060, 0.0080));
  d = smooth_min(d, fingers, 0.010);
  const dvec3 middle = 0.5 * (L::thumb_base() + L::thumb_tip()) + dvec3(0.0, 0.0, 0.006);
  const double thumb = std::min(cone_distance(p, L::thumb_base(), middle, 0.0155, 0.0125),
                                cone_distance(p, middle, L::thumb_tip(), 0.0125, 0.0095));
  return smooth_min(d, thumb, 0.014);
}

double leg_distance(const dvec3& p) {
  static const Loft thigh(L::hip, L::knee - L::hip, kForward,
                          {{-0.13, 0.028, 0.036, 0.040},
                           {-0.06, 0.064, 0.074, 0.080},
                           {0.000, 0.079, 0.088, 0.094},
                           {0.060, 0.081, 0.090, 0.092},
                           {0.140, 0.076, 0.087, 0.084},
                           {0.220, 0.069, 0.080, 0.074},
                           {0.300, 0.061, 0.070, 0.064},
                           {0.360, 0.055, 0.061, 0.056},
                           {0.400, 0.052, 0.057, 0.050},
                           {0.430, 0.051, 0.057, 0.047}});
  static const Loft shin(L::knee, L::ankle - L::knee, kForward,
                         {{-0.01, 0.052, 0.056, 0.046},
                          {0.040, 0.049, 0.051, 0.048},
                          {0.085, 0.051, 0.046, 0.058},
                          {0.130, 0.053, 0.044, 0.065},
                          {0.180, 0.050, 0.042, 0.061},
                          {0.240, 0.043, 0.039, 0.049},
                          {0.300, 0.036, 0.035, 0.039},
                          {0.360, 0.031, 0.032, 0.031},
                          {0.430, 0.030, 0.034, 0.028}});
  double d = smooth_min(thigh.distance(p), shin.distance(p), 0.020);
  return smooth_min(d, ellipsoid_distance(p, L::knee + dvec3(0.0, 0.0, 0.036), {0.033, 0.042, 0.026}), 0.022);
}

double foot_distance(const dvec3& p) {
  double d = cone_distance(p, L::ankle + dvec3(0.0, -0.004, 0.004), {0.107, 0.040, 0.072}, 0.034, 0.028);
  d = smooth_min(d, cone_distance(p, {0.102, 0.040, -0.050}, {0.102, 0.022, -0.046}, 0.031, 0.033), 0.030);
  d = smooth_min(d, cone_distance(p, {0.093, 0.028, 0.098}, {0.134, 0.024, 0.082}, 0.029, 0.024), 0.030);
  d = smooth_min(d, ellipsoid_distance(p, {0.112, 0.022, 0.124}, {0.042, 0.029, 0.056}), 0.030);
  d = smooth_min(d, ellipsoid_distance(p, {0.111, 0.014, 0.034}, {0.033, 0.030, 0.112}), 0.020);
  return smooth_max(d, -p.y, 0.006);
}

double band(double s, double half) { return std::abs(s) - half; }

}  // namespace

double body_distance(const dvec3& mirrored) {
  const dvec3 p(std::abs(mirrored.x), mirrored.y, mirrored.z);
  double d = 1.0;
  if (p.y > 1.40 && p.x < 0.30) d = head_distance(p);
  if (p.y > 0.70) d = smooth_min(d, torso_distance(p), 0.020);
  if (p.y > 0.55) {
    const double arm = smooth_min(arm_distance(p), hand_distance(p), 0.020);
    // Widely where the deltoid meets the trunk, hardly at all where the arm only passes it.
    const double meeting = std::clamp((p.y - 1.28) / 0.12, 0.0, 1.0);
    d = smooth_min(d, arm, 0.008 + 0.052 * meeting);
  }
  if (p.y < 1.15) d = smooth_min(d, smooth_min(leg_distance(p), foot_distance(p), 0.030), 0.045);
  return d;
}

dvec3 body_normal(const dvec3& p) {
  constexpr double kStep = 0.0015;  // metres: far below the smallest feature, far above rounding
  dvec3 gradient;
  for (int i = 0; i < 3; ++i) {
    dvec3 step(0.0);
    step[i] = kStep;
    gradient[i] = body_distance(p + step) - body_distance(p - step);
  }
  const double length = glm::length(gradient);
  return length > 1e-12 ? gradient / length : dvec3(0.0, 1.0, 0.0);
}

dvec3 onto_body(dvec3 p) {
  for (int i = 0; i < 3; ++i) {
    const double distance = body_distance(p);
    if (std::abs(distance) < 1e-6) break;
    p -= body_normal(p) * distance;
  }
  return p;
}

double openness(const dvec3& p, const dvec3& normal) {
  double hidden = 0.0, weight = 0.5;
  for (int i = 1; i <= 5; ++i) {
    const double reach = 0.012 * i;  // metres; beyond 6 cm a crease no longer reads as one
    hidden += weight * std::max(0.0, reach - body_distance(p + normal * reach)) / reach;
    weight *= 0.75;
  }
  return std::clamp(1.0 - 0.75 * hidden, 0.0, 1.0);
}

double panel_distance(int i, const dvec3& mirrored) {
  const dvec3 p(std::abs(mirrored.x), mirrored.y, mirrored.z);
  const auto along = [&p](const dvec3& origin, const dvec3& axis) {
    return glm::dot(p - origin, glm::normalize(axis));
  };
  switch (i) {
    case 0:
      return std::max(band(along({0.0, 1.536, -0.006}, {0.0, 1.0, 0.40}), 0.016), p.x - 0.10);
    case 1:
      return std::max(band(along(L::elbow(), L::arm_direction()), 0.026), 0.22 - p.x);
    case 2:
      return std::max(band(along(L::wrist(), L::arm_direction()), 0.009), 0.30 - p.x);
    case 3:
      return std::max(band(along(L::knee, {0.0, 1.0, -0.12}), 0.030), p.x - 0.24);
    case 4:
      return std::max(band(along(L::ankle + dvec3(0.0, 0.020, 0.0), {0.0, 1.0, -0.25}), 0.011), p.x - 0.24);
    case 5:
      return std::max(band(p.y - 1.105, 0.020 + 0.034 * std::exp(-p.x * p.x / 0.0042)), p.x - 0.20);
    case 6:
      return std::max(glm::length(glm::dvec2(p.y - 0.930, p.z + 0.004)) - 0.032, std::abs(p.x - 0.20) - 0.10);
    case 7:
      return std::max(band(along({0.158, 1.42, 0.0}, {1.0, 0.118, 0.0}), 0.006), 1.28 - p.y);
    case 8: {
      const glm::dvec2 q = glm::max(glm::dvec2(p.x - 0.052, std::abs(p.y - 1.698) - 0.004), glm::dvec2(0.0));
      return std::max(glm::length(q) - 0.020, 0.0 - p.z);
    }
    case 9:
      return std::max(glm::length(glm::dvec2(p.y - 1.684, p.z + 0.014)) - 0.016, 0.055 - p.x);
    case 10:
      return std::max(glm::length(glm::dvec2(p.x, p.y - 1.345)) - 0.019, 0.0 - p.z);
    case 11: {
      const glm::dvec2 q = glm::max(glm::dvec2(p.x - 0.022, std::abs(p.y - 1.325) - 0.052), glm::dvec2(0.0));
      return std::max(glm::length(q) - 0.018, p.z);
    }
    default:
      return std::max(p.y - 0.012, p.x - 0.30);
  }
}

Panel panel_kind(int i) {
  constexpr std::array kKinds{Panel::joint,  Panel::joint, Panel::joint, Panel::joint, Panel::joint,
                              Panel::joint,  Panel::joint, Panel::joint, Panel::visor, Panel::accent,
                              Panel::accent, Panel::joint, Panel::joint};
  static_assert(kKinds.size() == kPanelShapes);
  return kKinds[static_cast<std::size_t>(i)];
}

}  // namespace throng::detail::mannequin
