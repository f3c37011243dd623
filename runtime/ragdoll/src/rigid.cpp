#include "rigid.h"

#include <algorithm>

namespace throng::rigid {

bool is_finite(const glm::mat4& m) {
  for (int c = 0; c < 4; ++c) {
    if (!is_finite(glm::vec3(m[c]))) return false;
  }
  return true;
}

bool is_finite(const Affine& a) {
  return std::all_of(a.rows.begin(), a.rows.end(),
                     [](const glm::vec4& row) { return is_finite(glm::vec3(row)) && std::isfinite(row.w); });
}

glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise) {
  const float largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > 1e-30f) || !std::isfinite(largest)) return otherwise;
  return glm::normalize(v / largest);
}

glm::vec3 square_to(const glm::vec3& v) {
  const glm::vec3 a = glm::abs(v);
  const bool x_least = a.x <= a.y && a.x <= a.z;
  const glm::vec3 axis = x_least ? glm::vec3(1, 0, 0) : a.y <= a.z ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
  return unit_or(glm::cross(v, axis), {1.0f, 0.0f, 0.0f});
}

glm::quat turn_of(const glm::mat3& m) {
  const glm::vec3 x = unit_or(m[0], {1.0f, 0.0f, 0.0f});
  const glm::vec3 second = unit_or(m[1], square_to(x));
  const glm::vec3 y = unit_or(second - glm::dot(second, x) * x, square_to(x));
  const glm::vec3 z = glm::cross(x, y);
  const float side = glm::dot(z, m[2]) < 0.0f ? -1.0f : 1.0f;
  return glm::normalize(glm::quat_cast(glm::mat3(side * x, side * y, z)));
}

Rigid rigid_of(const glm::mat4& m) { return {glm::vec3(m[3]), turn_of(glm::mat3(m))}; }
Rigid rigid_of(const Affine& a) { return rigid_of(to_matrix(a)); }
float scale_of(const glm::mat4& m) { return std::cbrt(std::abs(glm::determinant(glm::mat3(m)))); }

glm::quat arc(const glm::vec3& from, const glm::vec3& to) {
  const float cosine = glm::dot(from, to);
  if (cosine < -0.9999999f) {
    const glm::vec3 about = square_to(from);
    return {0.0f, about.x, about.y, about.z};
  }
  const glm::vec3 axis = glm::cross(from, to);
  return glm::normalize(glm::quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

float angle_of(const glm::quat& turn) {
  return 2.0f * std::atan2(std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), std::abs(turn.w));
}

glm::vec3 spin_between(const glm::quat& before, const glm::quat& now, float seconds) {
  glm::quat way = now * glm::conjugate(before);
  if (way.w < 0.0f) way = -way;
  return unit_or({way.x, way.y, way.z}, glm::vec3(0.0f)) * (angle_of(way) / seconds);
}

glm::quat twist_about(const glm::quat& turn, const glm::vec3& axis) {
  const float along = glm::dot(glm::vec3(turn.x, turn.y, turn.z), axis);
  const float length = std::sqrt(along * along + turn.w * turn.w);
  if (!(length > 1e-6f)) return kNoTurn;  // half a turn square to the axis: no twist to tell
  return {turn.w / length, axis.x * along / length, axis.y * along / length, axis.z * along / length};
}

}  // namespace throng::rigid
