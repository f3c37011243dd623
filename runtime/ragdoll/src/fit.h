// SPDX-License-Identifier: Apache-2.0
#pragma once
// Capsules and boxes around points.

#include <glm/glm.hpp>
#include <span>

#include "rigid.h"
#include "throng/ragdoll/ragdoll_setup.h"

namespace throng::detail::ragdoll {

struct FittedShape {
  BodyShape shape = BodyShape::capsule;
  glm::vec3 centre{0.0f};
  glm::quat rotation = kNoRotation;  // its y axis along the longest extent
  glm::vec3 half{0.0f};              // as in RagdollBody
};

// `wanted`: capsule, box, or automatic: a capsule where it is about as wide as deep. Never thinner than `least`.
FittedShape fit_shape(std::span<const glm::vec3> points, BodyShape wanted, float least);

float volume_of(const FittedShape& shape);

}  // namespace throng::detail::ragdoll
