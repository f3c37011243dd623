// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the checks of a baked model ask of numbers.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "throng/character/error_report.h"
#include "throng/math/bounds.h"
#include "throng/math/directions.h"
#include "throng/math/transform.h"

namespace throng::detail::character {

inline constexpr double kUnitTolerance = 0.01;  // far above any encoding's rounding, far below what would show

// Some of these added up are still a float.
inline constexpr float kFarthest = 1e37f;

// Shaders take it as a float.
inline bool fits_float(double value) { return std::isfinite(static_cast<float>(value)); }

inline bool fits_float(const glm::dvec3& v) { return fits_float(v.x) && fits_float(v.y) && fits_float(v.z); }

inline bool is_box(const Bounds& b) {
  return is_finite(b.min) && is_finite(b.max) && b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z;
}

inline bool are_amounts(const ErrorFigures& f) {
  return is_amount(f.max_mm) && is_amount(f.p999_mm) && is_amount(f.rms_mm) && is_amount(f.normal_max_degrees);
}

inline bool is_unit(const glm::dquat& q) { return std::abs(glm::length(q) - 1.0) <= kUnitTolerance; }

}  // namespace throng::detail::character
