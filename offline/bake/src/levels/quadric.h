// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of squared distances, as polynomials: from planes, and of what a surface carries from what a triangle would.

#include <array>
#include <glm/glm.hpp>

#include "throng/math/simd/double4.h"

namespace throng::detail::bake {

// Σ wᵢ (nᵢ·p + dᵢ)²: how far a point is from planes, by their weights (Garland and Heckbert 1997). In four poses at
// once, each with planes of its own.
class PlaneQuadrics4 {
 public:
  void add_plane(std::size_t pose, const glm::dvec3& unit_normal, const glm::dvec3& on_it, double weight) {
    const double d = -glm::dot(unit_normal, on_it);
    add(squares_, pose, weight * unit_normal * unit_normal);
    add(products_, pose,
        weight *
            glm::dvec3(unit_normal.y * unit_normal.z, unit_normal.z * unit_normal.x, unit_normal.x * unit_normal.y));
    add(linear_, pose, weight * d * unit_normal);
    constant_.set(pose, constant_[pose] + weight * d * d);
    weight_.set(pose, weight_[pose] + weight);
  }
  PlaneQuadrics4& operator+=(const PlaneQuadrics4& other) {
    squares_ = squares_ + other.squares_;
    products_ = products_ + other.products_;
    linear_ = linear_ + other.linear_;
    constant_ = constant_ + other.constant_;
    weight_ = weight_ + other.weight_;
    return *this;
  }
  // The mean squares, in square units; 0 where there are no planes.
  simd::Double4 at(const simd::Points4& p) const {
    const simd::Double4 none;
    const simd::Points4 p2{p.x * p.x, p.y * p.y, p.z * p.z}, others{p.y * p.z, p.z * p.x, p.x * p.y};
    const simd::Double4 sum = dot(squares_, p2) + 2.0 * dot(products_, others) + 2.0 * dot(linear_, p) + constant_;
    return where_greater(weight_, none, where_greater(sum, none, sum / weight_, none), none);
  }

 private:
  static void add(simd::Points4& to, std::size_t pose, const glm::dvec3& what) {
    to.x.set(pose, to.x[pose] + what.x);
    to.y.set(pose, to.y[pose] + what.y);
    to.z.set(pose, to.z[pose] + what.z);
  }

  simd::Points4 squares_, products_, linear_;
  simd::Double4 constant_, weight_;
};

inline constexpr std::size_t kAttributes = 8;  // normal, uv, colour
using Attributes = std::array<double, kAttributes>;

// Σ wᵢ Σⱼ (gᵢⱼ·p + dᵢⱼ − sⱼ)²: how far attributes s at a point p are from what triangles, each extended over its plane,
// have there (Hoppe 1999).
class AttributeQuadric {
 public:
  // A triangle's attributes as they change along it: value at the origin and gradient.
  void add_triangle(const std::array<glm::dvec3, kAttributes>& gradients, const Attributes& origins, double weight) {
    for (std::size_t j = 0; j < kAttributes; ++j) {
      const glm::dvec3& g = gradients[j];
      squares_ += weight * g * g;
      products_ += weight * glm::dvec3(g.y * g.z, g.z * g.x, g.x * g.y);
      linear_ += weight * origins[j] * g;
      constant_ += weight * origins[j] * origins[j];
      gradients_[j] += weight * g;
      origins_[j] += weight * origins[j];
    }
    weight_ += weight;
  }
  AttributeQuadric& operator+=(const AttributeQuadric& other) {
    squares_ += other.squares_;
    products_ += other.products_;
    linear_ += other.linear_;
    constant_ += other.constant_;
    weight_ += other.weight_;
    for (std::size_t j = 0; j < kAttributes; ++j) {
      gradients_[j] += other.gradients_[j];
      origins_[j] += other.origins_[j];
    }
    return *this;
  }
  double weight() const { return weight_; }
  // The sum, not its mean.
  double at(const glm::dvec3& p, const Attributes& s) const {
    double sum = glm::dot(squares_, p * p) + 2.0 * glm::dot(products_, glm::dvec3(p.y * p.z, p.z * p.x, p.x * p.y)) +
                 2.0 * glm::dot(linear_, p) + constant_;
    for (std::size_t j = 0; j < kAttributes; ++j) {
      sum += s[j] * (weight_ * s[j] - 2.0 * (glm::dot(gradients_[j], p) + origins_[j]));
    }
    return sum > 0.0 ? sum : 0.0;
  }

 private:
  glm::dvec3 squares_{0.0}, products_{0.0}, linear_{0.0};
  double constant_ = 0.0, weight_ = 0.0;
  std::array<glm::dvec3, kAttributes> gradients_{};
  Attributes origins_{};
};

}  // namespace throng::detail::bake
