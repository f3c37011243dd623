// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rotations as unit quaternions. q and −q are the same rotation; what is said of one here holds for the other.

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "throng/math/directions.h"

namespace throng {

inline constexpr glm::quat kNoRotation{1.0f, 0.0f, 0.0f, 0.0f};  // glm's constructor takes w first

// The rotation of a matrix that may also scale and shear: its columns made orthonormal, the first keeping its
// direction. Columns of no length get theirs from the others. A mirroring matrix has the rotation of its negative:
// rotations carried through either come out the same.
template <class T>
glm::qua<T> rotation_of(const glm::mat<3, 3, T>& m) {
  using Vector = glm::vec<3, T>;
  const Vector x = unit_or(m[0], unit_or(glm::cross(m[1], m[2]), Vector(1, 0, 0)));
  const Vector second = unit_or(m[1], unit_or(glm::cross(m[2], x), perpendicular(x)));
  const Vector y = unit_or(perpendicular_part(second, x), unit_or(glm::cross(m[2], x), perpendicular(x)));
  const Vector z = glm::cross(x, y);
  const T side = glm::dot(z, m[2]) < T(0) ? T(-1) : T(1);
  return glm::normalize(glm::quat_cast(glm::mat<3, 3, T>(side * x, side * y, z)));
}

// The shortest rotation that takes one unit vector to another. Opposite ones are rotated about `about`, a unit vector
// at right angles to them.
template <class T>
glm::qua<T> shortest_arc(const glm::vec<3, T>& from, const glm::vec<3, T>& to, const glm::vec<3, T>& about) {
  const T cosine = glm::dot(from, to);
  const glm::vec<3, T> axis = glm::cross(from, to);
  if (cosine >= T(0)) return glm::normalize(glm::qua<T>(T(1) + cosine, axis.x, axis.y, axis.z));
  // 1 + cosine is mostly rounding near −1; the sine is not, until the axis itself cannot be told any more.
  const T sine = glm::length(axis);
  if (sine < T(8) * std::numeric_limits<T>::epsilon()) return glm::qua<T>(T(0), about.x, about.y, about.z);
  const T half_sine = std::sqrt((T(1) - cosine) / T(2));
  const T scale = half_sine / sine;
  return glm::normalize(glm::qua<T>(sine / (T(2) * half_sine), scale * axis.x, scale * axis.y, scale * axis.z));
}
template <class T>
glm::qua<T> shortest_arc(const glm::vec<3, T>& from, const glm::vec<3, T>& to) {
  return shortest_arc(from, to, perpendicular(from));
}

// Radians, 0 to π.
template <class T>
T angle_between(const glm::vec<3, T>& unit_a, const glm::vec<3, T>& unit_b) {
  return std::atan2(glm::length(glm::cross(unit_a, unit_b)), glm::dot(unit_a, unit_b));
}
// Radians, 0 … π.
template <class T>
T angle_of(const glm::qua<T>& rotation) {
  const glm::vec<3, T> v(rotation.x, rotation.y, rotation.z);
  return T(2) * std::atan2(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z), std::abs(rotation.w));
}

// A fraction of a rotation the short way round, 0 to 1: slerp from no rotation.
template <class T>
glm::qua<T> fraction_of(const glm::qua<T>& rotation, T fraction) {
  const glm::qua<T> none(T(1), T(0), T(0), T(0));
  if (fraction <= T(0)) return none;
  const glm::qua<T> near = rotation.w < T(0) ? -rotation : rotation;
  return fraction >= T(1) ? near : glm::normalize(glm::slerp(none, near, fraction));
}

// The rotation, cut to at most `most` radians about its axis.
template <class T>
glm::qua<T> limited(const glm::qua<T>& rotation, T most) {
  const T angle = angle_of(rotation);
  return angle <= most ? rotation : fraction_of(rotation, std::max(most, T(0)) / angle);
}

// `direction` brought to within `most` radians of `axis`; both unit vectors.
template <class T>
glm::vec<3, T> within_cone(const glm::vec<3, T>& direction, const glm::vec<3, T>& axis, T most) {
  const T angle = angle_between(axis, direction);
  if (angle <= most) return direction;
  return unit_or(fraction_of(shortest_arc(axis, direction), std::max(most, T(0)) / angle) * axis, axis);
}

// The part of a rotation that is about a unit axis: the twist of its swing and twist. None where the rest is half a
// turn, which leaves no twist to tell.
template <class T>
glm::qua<T> twist_about(const glm::qua<T>& rotation, const glm::vec<3, T>& axis) {
  const T along = glm::dot(glm::vec<3, T>(rotation.x, rotation.y, rotation.z), axis);
  const T length = std::sqrt(along * along + rotation.w * rotation.w);
  if (!(length > T(1e-6))) return glm::qua<T>(T(1), T(0), T(0), T(0));
  return {rotation.w / length, axis.x * along / length, axis.y * along / length, axis.z * along / length};
}

// Radians a second that lead from one rotation to another, as a vector along the axis.
template <class T>
glm::vec<3, T> angular_velocity(const glm::qua<T>& before, const glm::qua<T>& now, T seconds) {
  glm::qua<T> change = now * glm::conjugate(before);
  if (change.w < T(0)) change = -change;
  return unit_or(glm::vec<3, T>(change.x, change.y, change.z), glm::vec<3, T>(0)) * (angle_of(change) / seconds);
}

// The angle nearest to `like` among those that mean the same, all in radians.
template <class T>
T nearest_angle(T angle, T like) {
  constexpr T kCircle = T(6.283185307179586476925286766559);
  return angle - kCircle * std::round((angle - like) / kCircle);
}

}  // namespace throng
