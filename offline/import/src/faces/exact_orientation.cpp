// SPDX-License-Identifier: Apache-2.0
#include "faces/exact_orientation.h"

#include <array>
#include <cmath>

namespace throng::detail::import {
namespace {

// A sum kept exactly, as doubles that do not overlap, the smallest first (Shewchuk, "Adaptive Precision Floating-Point
// Arithmetic", 1997: Grow-Expansion).
class ExactSum {
 public:
  void add(double value) {
    for (std::size_t i = 0; i < size_; ++i) {
      const double sum = value + parts_[i];
      const double shared = sum - value;
      parts_[i] = (value - (sum - shared)) + (parts_[i] - shared);
      value = sum;
    }
    parts_[size_++] = value;
  }

  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }

  // The largest part that is not zero outweighs all others together.
  int sign() const {
    for (std::size_t i = size_; i-- > 0;) {
      if (parts_[i] != 0.0) return parts_[i] > 0.0 ? 1 : -1;
    }
    return 0;
  }

 private:
  std::array<double, 12> parts_{};
  std::size_t size_ = 0;
};

}  // namespace

int orientation(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double determinant = left - right;
  // Shewchuk's bound on what rounding does to it: (3 + 16 ε) ε with ε = 2^-53.
  constexpr double kErrorBound = 3.3306690738754716e-16;
  if (std::abs(determinant) > kErrorBound * (std::abs(left) + std::abs(right))) return determinant > 0.0 ? 1 : -1;
  ExactSum sum;
  sum.add_product(a.x, b.y);
  sum.add_product(-a.x, c.y);
  sum.add_product(-c.x, b.y);
  sum.add_product(-a.y, b.x);
  sum.add_product(a.y, c.x);
  sum.add_product(c.y, b.x);
  return sum.sign();
}

}  // namespace throng::detail::import
