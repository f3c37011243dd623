// SPDX-License-Identifier: Apache-2.0
#pragma once
// The twin of unpack_rotation (shaders/include/throng/shaders/shared/rotation.h): a rotation as InstanceRecord holds
// it.

#include <glm/gtc/quaternion.hpp>

#include "throng/character/records.h"

namespace throng {

// Packs a quaternion of any length but zero. The identity comes back exactly, any other rotation within 5e-6 radians.
gpu::uvec2 pack_rotation(const glm::dquat& rotation);

}  // namespace throng
