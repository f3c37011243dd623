// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of squared distances, as polynomials: from planes, and of what a surface carries from what a triangle would.

#include <array>
#include <glm/glm.hpp>

namespace throng::detail::bake {

// Σ wᵢ (nᵢ·p + dᵢ)²: how far a point is from planes, by their weights (Garland and Heckbert 1997).
class PlaneQuadric {
 public:
  void add_plane(const glm::dvec3& unit_normal, const glm::dvec3& on_it, double weight) {
    const double d = -glm::dot(unit_normal, on_it);
    squares_ += weight * unit_normal * unit_normal;
    products_ += weight * glm::dvec3(unit_normal.y * unit_normal.z, unit_normal.z * unit_normal.x,
                                     unit_normal.x * unit_normal.y);
    linear_ += weight * d * unit_normal;
    constant_ += weight * d * d;
    weight_ += weight;
  }
  PlaneQuadric& operator+=(const PlaneQuadric& other) {
    squares_ += other.squares_;
    products_ += other.products_;
    linear_ += other.linear_;
    constant_ += other.constant_;
    weight_ += other.weight_;
    return *this;
  }
  // The mean square, in square units; 0 where there are no planes.
  double at(const glm::dvec3& p) const {
    if (weight_ <= 0.0) return 0.0;
    const double sum = glm::dot(squares_, p * p) +
                       2.0 * glm::dot(products_, glm::dvec3(p.y * p.z, p.z * p.x, p.x * p.y)) +
                       2.0 * glm::dot(linear_, p) + constant_;
    return sum > 0.0 ? sum / weight_ : 0.0;
  }

 private:
  glm::dvec3 squares_{0.0}, products_{0.0}, linear_{0.0};
  double constant_ = 0.0, weight_ = 0.0;
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
