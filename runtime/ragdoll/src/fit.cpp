// SPDX-License-Identifier: Apache-2.0
#include "fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace throng::detail::ragdoll {
namespace {

// Stray vertices beyond these moving of all do not widen a body.
constexpr double kTrim = 0.03;
// Share of the vertices that a capsule holds across: skin lies outside, and bodies that are a little thin lie snugly.
constexpr double kCapsuleHolds = 0.75;
// Wider than deep by this factor: a box.
constexpr float kFlat = 1.7f;

// The axes of a symmetric matrix as columns, by Jacobi's rotations; those of the largest value are not sorted.
glm::dmat3 axes_of(glm::dmat3 m) {
  glm::dmat3 axes(1.0);
  for (int sweep = 0; sweep < 24; ++sweep) {
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      if (std::abs(m[p][q]) < 1e-300) continue;
      const double theta = 0.5 * std::atan2(2.0 * m[p][q], m[q][q] - m[p][p]);
      glm::dmat3 rotation(1.0);
      rotation[p][p] = rotation[q][q] = std::cos(theta);
      rotation[q][p] = std::sin(theta);
      rotation[p][q] = -std::sin(theta);
      m = glm::transpose(rotation) * m * rotation;
      axes = axes * rotation;
    }
  }
  return axes;
}

glm::dmat3 spread_of(std::span<const glm::vec3> points) {
  glm::dvec3 mean(0.0);
  for (const glm::vec3& p : points) mean += glm::dvec3(p);
  mean /= static_cast<double>(points.size());
  glm::dmat3 spread(0.0);
  for (const glm::vec3& p : points) {
    const glm::dvec3 d = glm::dvec3(p) - mean;
    spread += glm::outerProduct(d, d);
  }
  return spread / static_cast<double>(points.size());
}

double at_part(std::vector<double>& values, double part) {
  const auto nth = static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(nth), values.end());
  return values[nth];
}

struct Extent {
  glm::dvec3 axis{};
  double least = 0.0, most = 0.0;
  double width() const { return most - least; }
};

Extent extent_along(std::span<const glm::vec3> points, const glm::dvec3& axis) {
  std::vector<double> along;
  along.reserve(points.size());
  for (const glm::vec3& p : points) along.push_back(glm::dot(glm::dvec3(p), axis));
  // A handful of points is no statistic.
  const double trim = points.size() < 32 ? 0.0 : kTrim;
  return {axis, at_part(along, trim), at_part(along, 1.0 - trim)};
}

double radius_around(std::span<const glm::vec3> points, const glm::dvec3& centre, const glm::dvec3& axis) {
  std::vector<double> radii;
  radii.reserve(points.size());
  for (const glm::vec3& p : points) {
    const glm::dvec3 d = glm::dvec3(p) - centre;
    radii.push_back(glm::length(d - glm::dot(d, axis) * axis));
  }
  return at_part(radii, kCapsuleHolds);
}

}  // namespace

FittedShape fit_shape(std::span<const glm::vec3> points, BodyShape wanted, float least) {
  const glm::dmat3 axes = axes_of(spread_of(points));
  std::array<Extent, 3> extents{};
  for (int i = 0; i < 3; ++i) extents[static_cast<std::size_t>(i)] = extent_along(points, glm::normalize(axes[i]));
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) { return a.width() > b.width(); });
  const auto& [longest, middle, thinnest] = extents;

  glm::dvec3 centre(0.0);
  for (const Extent& e : extents) centre += 0.5 * (e.least + e.most) * e.axis;
  const glm::dvec3 x = middle.axis, y = longest.axis;
  FittedShape fitted;
  fitted.centre = glm::vec3(centre);
  fitted.rotation = glm::normalize(glm::quat(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y)))));
  const bool flat = middle.width() > static_cast<double>(kFlat) * thinnest.width();
  fitted.shape =
      wanted == BodyShape::box || (wanted == BodyShape::automatic && flat) ? BodyShape::box : BodyShape::capsule;
  if (fitted.shape == BodyShape::box) {
    const glm::dvec3 half(0.5 * middle.width(), 0.5 * longest.width(), 0.5 * thinnest.width());
    fitted.half = glm::max(glm::vec3(half), glm::vec3(least));
  } else {
    const auto radius = std::max(static_cast<float>(radius_around(points, centre, y)), least);
    const auto half_height = std::max(static_cast<float>(0.5 * longest.width()) - radius, 0.0f);
    fitted.half = {radius, half_height, radius};
  }
  return fitted;
}

float volume_of(const FittedShape& s) {
  if (s.shape == BodyShape::box) return 8.0f * s.half.x * s.half.y * s.half.z;
  const float r = s.half.x;
  return std::numbers::pi_v<float> * r * r * (2.0f * s.half.y + 4.0f / 3.0f * r);
}

}  // namespace throng::detail::ragdoll
