// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kind of joint a bone hangs on, guessed from its name and from how the model stands at rest.

#include <string_view>

#include "throng/ragdoll/ragdoll_setup.h"

namespace throng::detail::ragdoll {

enum class Limb : std::uint8_t { other, head, spine, collar, upper_arm, elbow, thigh, knee, extremity };

// Tells a joint by its bone's name, in English and in the ways Blender, Mixamo, 3ds Max and Unreal name bones.
// `parent_name` tells Mixamo's shins ("LeftLeg" below "LeftUpLeg").
Limb guess_limb(std::string_view name, std::string_view parent_name);

// Which way a character at rest looks: where its toes are from its ankles, or +Z. Level, unit length.
glm::vec3 guess_forward(const Rig& rig);

// Fills in joint, its frames and limits of a body whose bone and parent are known. `tip`: in model space at rest, where
// the bone leads to.
void guess_joint(const Rig& rig, const glm::vec3& tip, const glm::vec3& forward, const RagdollBone* wanted,
                 RagdollBody& body);

}  // namespace throng::detail::ragdoll
