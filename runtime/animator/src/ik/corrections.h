// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all solvers share: corrections found in model space, put into the locals of a pose.

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>

#include "throng/animator/ik.h"
#include "throng/math/directions.h"
#include "throng/math/rotations.h"

namespace throng::detail::animator {

inline float smooth_step(float from, float to, float x) {
  const float t = glm::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// The rotation by which an affine carries other rotations through it; of a mirroring one, that of its negative, through
// which a rotation passes the same.
glm::quat carrying_rotation(const Affine& affine);
glm::vec3 direction_of(const Affine& affine, const glm::vec3& bone_vector);  // not normalised

// How much to rotate a bone: in model space, as the pose was before any correction.
struct Correction {
  std::uint32_t bone = 0;
  glm::quat by = kNoRotation;
};

// Rotates bones, the first of which is above all others, and brings the models from it down up to date. Every bone is
// rotated by its own correction and, being below, by those of the ones before it.
void apply_corrections(const PoseEdit& pose, std::span<const Correction> corrections, float weight);

// Brings the models from a bone down up to date.
void update_models(const PoseEdit& pose, std::uint32_t from);

// Rotates one bone towards a rotation in model space; returns the angle that is left.
float rotate_to(const PoseEdit& pose, std::uint32_t bone, const glm::quat& model_from_bone, float weight);

// Each bone exists and is below the one before.
bool is_chain(const Rig& rig, std::span<const std::uint32_t> bones);

inline IkReport refused(IkFault fault) { return {.fault = fault}; }

}  // namespace throng::detail::animator
