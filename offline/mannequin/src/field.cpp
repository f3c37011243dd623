// SPDX-License-Identifier: Apache-2.0
#include "field.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::mannequin {

using glm::dvec3;

double smooth_min(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - h * h * k * 0.25;
}

double smooth_max(double a, double b, double k) { return -smooth_min(-a, -b, k); }

double cone_distance(const dvec3& p, const dvec3& a, const dvec3& b, double radius_a, double radius_b) {
  const dvec3 ab = b - a;
  const double t = std::clamp(glm::dot(p - a, ab) / glm::dot(ab, ab), 0.0, 1.0);
  return glm::length(p - a - t * ab) - (radius_a + t * (radius_b - radius_a));
}

double ellipsoid_distance(const dvec3& p, const dvec3& centre, const dvec3& radii) {
  const dvec3 scaled = (p - centre) / radii;
  const double k0 = glm::length(scaled);
  const double k1 = glm::length(scaled / radii);
  if (k1 < 1e-9) return -std::min({radii.x, radii.y, radii.z});
  return k0 * (k0 - 1.0) / k1;
}

Loft::Loft(const dvec3& origin, const dvec3& axis, const dvec3& forward, std::vector<Section> sections)
    : origin_(origin), axis_(glm::normalize(axis)), sections_(std::move(sections)) {
  side_ = glm::normalize(glm::cross(axis_, forward));
  forward_ = glm::cross(side_, axis_);
}

namespace {

// Cubic through (0, b) and (1, c) with the slopes of its neighbours, scaled to uneven spacing.
double cubic(double u, double b, double c, double slope_b, double slope_c) {
  const double u2 = u * u, u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * b + (u3 - 2 * u2 + u) * slope_b + (3 * u2 - 2 * u3) * c + (u3 - u2) * slope_c;
}

}  // namespace

Loft::Section Loft::at(double t) const {
  const auto& s = sections_;
  if (t <= s.front().at) return s.front();
  if (t >= s.back().at) return s.back();
  std::size_t i = 0;
  while (s[i + 1].at < t) ++i;
  const double span = s[i + 1].at - s[i].at;
  const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 2, s.size() - 1);
  const auto part = [&](double Section::*m) {
    const double slope_b = (s[i + 1].*m - s[before].*m) / (s[i + 1].at - s[before].at) * span;
    const double slope_c = (s[after].*m - s[i].*m) / (s[after].at - s[i].at) * span;
    return cubic((t - s[i].at) / span, s[i].*m, s[i + 1].*m, slope_b, slope_c);
  };
  return {t, part(&Section::width), part(&Section::front), part(&Section::back)};
}

double Loft::distance(const dvec3& p) const {
  const dvec3 q = p - origin_;
  const double t = glm::dot(q, axis_);
  const Section s = at(t);
  const double x = glm::dot(q, side_), z = glm::dot(q, forward_);
  const glm::dvec2 radii(s.width, z > 0.0 ? s.front : s.back);
  const glm::dvec2 scaled = glm::dvec2(x, z) / radii;
  const double k0 = glm::length(scaled), k1 = glm::length(scaled / radii);
  const double across = k1 < 1e-9 ? -std::min(radii.x, radii.y) : k0 * (k0 - 1.0) / k1;
  const double beyond = std::max({sections_.front().at - t, t - sections_.back().at, 0.0});
  if (beyond <= 0.0) return across;
  return across <= 0.0 ? beyond : std::sqrt(across * across + beyond * beyond);
}

}  // namespace throng::detail::mannequin
