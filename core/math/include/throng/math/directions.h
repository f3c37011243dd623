// SPDX-License-Identifier: Apache-2.0
#pragma once
// Directions and what is asked of numbers: unit vectors that are defined everywhere, right angles, finite checks.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <iterator>

#include "throng/math/transform.h"

namespace throng {

// Whether no number in it is infinite or NaN.
template <std::floating_point T>
bool is_finite(T value) {
  return std::isfinite(value);
}
template <glm::length_t N, class T>
bool is_finite(const glm::vec<N, T>& v) {
  for (glm::length_t i = 0; i < N; ++i) {
    if (!std::isfinite(v[i])) return false;
  }
  return true;
}
template <class T>
bool is_finite(const glm::qua<T>& q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
template <glm::length_t C, glm::length_t R, class T>
bool is_finite(const glm::mat<C, R, T>& m) {
  for (glm::length_t column = 0; column < C; ++column) {
    if (!is_finite(m[column])) return false;
  }
  return true;
}

inline bool is_finite(const Transform& t) {
  return is_finite(t.translation) && is_finite(t.rotation) && is_finite(t.scale);
}

// Whether every element of a list is finite: of numbers, vectors, or whatever else is_finite() takes.
template <class List>
bool are_finite(const List& values) {
  return std::all_of(std::begin(values), std::end(values), [](const auto& value) { return is_finite(value); });
}

// Whether it is a size, a weight or an error that makes sense: finite, and not below 0.
template <std::floating_point T>
bool is_amount(T value) {
  return std::isfinite(value) && value >= T(0);
}

// Shorter than this nothing has a direction, unless a caller says otherwise. A float holds it with room to spare.
inline constexpr double kNoLength = 1e-30;

// v made of unit length, or `otherwise` where v is no longer than `no_length` or not finite.
template <class T>
glm::vec<3, T> unit_or(const glm::vec<3, T>& v, const glm::vec<3, T>& otherwise,
                       T no_length = static_cast<T>(kNoLength)) {
  // Divides by the largest component first: squares of tiny and of huge numbers leave the range of T.
  const T largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > T(0)) || !is_finite(v)) return otherwise;
  const glm::vec<3, T> scaled = v / largest;
  const T length = glm::length(scaled);
  return largest * length > no_length ? scaled / length : otherwise;
}

// A unit vector at right angles to v, which need not be of unit length; always the same one for the same v.
template <class T>
glm::vec<3, T> perpendicular(const glm::vec<3, T>& v) {
  // Across the axis that v is farthest from, so that the product is never short.
  const glm::vec<3, T> a = glm::abs(v);
  glm::vec<3, T> axis(0, 0, 1);
  if (a.x <= a.y && a.x <= a.z) {
    axis = {1, 0, 0};
  } else if (a.y <= a.z) {
    axis = {0, 1, 0};
  }
  return unit_or(glm::cross(v, axis), {1, 0, 0});
}

// The part of v at right angles to a unit vector.
template <class T>
glm::vec<3, T> perpendicular_part(const glm::vec<3, T>& v, const glm::vec<3, T>& unit_axis) {
  return v - glm::dot(v, unit_axis) * unit_axis;
}

// Mixes two directions; gives the first where nothing of the mixture is left to normalise.
template <class T>
glm::vec<3, T> mixed_direction(const glm::vec<3, T>& from, const glm::vec<3, T>& to, T blend) {
  return unit_or(glm::mix(from, to, blend), from, T(1e-10));
}

// What a matrix does to normals, up to a positive factor: its inverse transpose, here by cofactors, so that a singular
// matrix has one too.
template <class T>
glm::mat<3, 3, T> normal_matrix(const glm::mat<3, 3, T>& m) {
  const glm::mat<3, 3, T> cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
  return cofactors * (glm::determinant(m) < T(0) ? T(-1) : T(1));
}

}  // namespace throng
