// SPDX-License-Identifier: Apache-2.0
#pragma once
// Blending of dual quaternions: what skin_mesh does with them, as pose.h says it.

#include <vector>

#include "throng/pose/pose.h"

namespace throng::detail::pose {

// Real part of unit length; the dual part as it came out of the sum, divided by the same length.
DualQuaternion blended_dual_quaternion(const Mesh& mesh, std::size_t vertex,
                                       const std::vector<DualQuaternion>& palette);

glm::dvec3 move_point(const DualQuaternion& move, const glm::dvec3& point);
glm::dvec3 rotate_normal(const DualQuaternion& move, const glm::dvec3& normal);

}  // namespace throng::detail::pose
