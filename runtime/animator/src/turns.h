#pragma once
// What all solvers share: arcs between directions that are defined everywhere, and corrections in model space put into
// locals.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "throng/animator/ik.h"

namespace throng {

inline constexpr glm::quat kNoTurn{1.0f, 0.0f, 0.0f, 0.0f};

inline bool is_finite(float v) { return std::isfinite(v); }
inline bool is_finite(const glm::vec3& v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }
inline bool is_finite(const glm::quat& q) {
  return is_finite(q.x) && is_finite(q.y) && is_finite(q.z) && is_finite(q.w);
}

inline float smooth_step(float from, float to, float x) {
  const float t = glm::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// Any direction square to `v`, which need not be of unit length; the same for the same v.
glm::vec3 square_to(const glm::vec3& v);

// v made of unit length, or `otherwise` where it has none.
glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise);

// The part of v square to the unit vector `axis`.
inline glm::vec3 without(const glm::vec3& v, const glm::vec3& axis) { return v - glm::dot(v, axis) * axis; }

// The shortest turn that takes one unit vector to another. Opposite vectors are turned about `about` (square to them).
glm::quat arc(const glm::vec3& from, const glm::vec3& to, const glm::vec3& about);
inline glm::quat arc(const glm::vec3& from, const glm::vec3& to) { return arc(from, to, square_to(from)); }

float angle_between(const glm::vec3& unit_a, const glm::vec3& unit_b);
float angle_of(const glm::quat& turn);                  // 0 … π
glm::quat part_of(const glm::quat& turn, float share);  // slerp from no turn, the short way
glm::quat limited(const glm::quat& turn, float most);   // no more than `most` radians of it

// `direction` brought to within `most` radians of `axis`; both unit vectors.
glm::vec3 within_cone(const glm::vec3& direction, const glm::vec3& axis, float most);

// How an affine turns, for turns to be carried through it: a mirrored one's is that of its negative, through which a
// rotation passes the same.
glm::quat turn_of(const Affine& affine);
glm::vec3 direction_of(const Affine& affine, const glm::vec3& bone_vector);  // not normalised

// A bone's correction, as a turn in model space of the pose before any of them.
struct Turn {
  std::uint32_t bone = 0;
  glm::quat by = kNoTurn;
};

// Turns bones, the first of which is above all others, and brings the models from it down up to date. Every bone turns
// by its own turn and, being below, by those of the ones before it.
void apply_turns(const PoseEdit& pose, std::span<const Turn> turns, float weight);

// Brings the models from a bone down up to date.
void update_models(const PoseEdit& pose, std::uint32_t from);

// Turns one bone towards a rotation in model space; returns the angle that is left.
float turn_to(const PoseEdit& pose, std::uint32_t bone, const glm::quat& model_from_bone, float weight);

// Each bone exists and is below the one before.
bool is_chain(const Rig& rig, std::span<const std::uint32_t> bones);

inline IkReport refused(IkFault fault) { return {.fault = fault}; }

}  // namespace throng
