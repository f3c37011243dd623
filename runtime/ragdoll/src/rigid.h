#pragma once
// Places and turns without scale, and the steps between them.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "throng/animator/rig.h"

// In a namespace of its own: the animator's sources have some of the same names.
namespace throng::rigid {

inline constexpr glm::quat kNoTurn{1.0f, 0.0f, 0.0f, 0.0f};

struct Rigid {
  glm::vec3 at{0.0f};
  glm::quat turn = kNoTurn;
};

inline Rigid operator*(const Rigid& a, const Rigid& b) {
  return {a.at + a.turn * b.at, glm::normalize(a.turn * b.turn)};
}
inline Rigid inverse(const Rigid& a) {
  const glm::quat back = glm::conjugate(a.turn);
  return {back * -a.at, back};
}

inline bool is_finite(const glm::vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool is_finite(const glm::mat4& m);
bool is_finite(const Affine& a);

// The turn of three columns made orthonormal; of a mirrored one, that of its negative.
glm::quat turn_of(const glm::mat3& m);
Rigid rigid_of(const glm::mat4& m);
Rigid rigid_of(const Affine& a);
float scale_of(const glm::mat4& m);  // cube root of the volume it gives a unit cube

// The shortest turn from one unit vector to another.
glm::quat arc(const glm::vec3& from, const glm::vec3& to);
glm::vec3 square_to(const glm::vec3& v);
glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise);

// Radians a second that lead from one turn to another, as a vector along the axis.
glm::vec3 spin_between(const glm::quat& before, const glm::quat& now, float seconds);

// The part of a turn that is about a unit axis.
glm::quat twist_about(const glm::quat& turn, const glm::vec3& axis);
float angle_of(const glm::quat& turn);

}  // namespace throng::rigid

namespace throng {
using namespace rigid;
}
