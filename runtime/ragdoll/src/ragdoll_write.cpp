// SPDX-License-Identifier: Apache-2.0
// Bodies back to bones.

#include <algorithm>
#include <cmath>

#include "ragdoll_state.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

glm::mat4 matrix_of(const BoneTransform& t) {
  glm::mat4 m = glm::mat4_cast(t.rotation);
  for (int c = 0; c < 3; ++c) m[c] *= t.scale[c];
  m[3] = glm::vec4(t.translation, 1.0f);
  return m;
}

BoneTransform mixed(const BoneTransform& a, const BoneTransform& b, float t) {
  if (t >= 1.0f) return b;
  return {glm::mix(a.translation, b.translation, t), glm::normalize(glm::slerp(a.rotation, b.rotation, t)), a.scale};
}

// A bone's local that has it turned, in model space, as the body is; and, at the top, where the body is.
BoneTransform local_for(const BoneTransform& local, const glm::mat4& model_from_parent, const Rigid& model_from_bone,
                        bool placed) {
  BoneTransform result = local;
  const glm::quat parent = rotation_of(glm::mat3(model_from_parent));
  const glm::quat now = rotation_of(glm::mat3(model_from_parent * matrix_of(local)));
  const glm::quat by = model_from_bone.rotation * glm::conjugate(now);
  result.rotation = glm::normalize(glm::conjugate(parent) * by * parent * local.rotation);
  if (!placed) return result;
  const glm::vec3 at(glm::inverse(model_from_parent) * glm::vec4(model_from_bone.at, 1.0f));
  if (is_finite(at)) result.translation = at;
  return result;
}

}  // namespace

bool Ragdoll::write(const PoseEdit& pose, const glm::mat4& world_from_model, float weight, BoneMask mask) const {
  State& p = *state_;
  const Rig& rig = p.setup->rig();
  if (!running() || &pose.rig != &rig || !pose.fits() || !is_finite(world_from_model) || !std::isfinite(weight))
    return false;
  if (!mask.empty() && mask.size() < rig.bone_count()) return false;
  if (!(std::abs(glm::determinant(glm::mat3(world_from_model))) > 1e-30f)) return false;
  if (weight <= 0.0f) return true;
  const glm::mat4 model_from_world = glm::inverse(world_from_model);
  const glm::quat model_rotation = glm::conjugate(rotation_of(glm::mat3(world_from_model)));
  const float between = p.world->between_steps();
  const std::uint32_t first = p.from.value_or(0);
  std::size_t next = 0;  // body
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    const bool has_body = next < p.moving.size() && p.setup->bodies()[next].bone == bone;
    const std::size_t body = has_body ? next++ : 0;
    if (p.from && !rig.is_below(bone, *p.from)) {
      p.models[bone] = to_matrix(pose.models[bone]);
      continue;
    }
    const auto parent = rig.parent(bone);
    const glm::mat4 model_from_parent = parent ? p.models[*parent] : to_matrix(pose.model_from_root);
    BoneTransform local = local_of(pose.locals, bone);
    if (has_body && p.moving[body].falls) {
      const Rigid world = p.world_from_bone(body, between);
      const glm::vec3 at(model_from_world * glm::vec4(world.at / p.world->settings.metres_per_unit, 1.0f));
      const Rigid model{at, glm::normalize(model_rotation * world.rotation)};
      const BoneTransform fallen = local_for(local, model_from_parent, model, p.setup->bodies()[body].parent < 0);
      const float share = std::clamp(weight, 0.0f, 1.0f) * (mask.empty() ? 1.0f : std::clamp(mask[bone], 0.0f, 1.0f));
      if (share > 0.0f) set_local(pose.locals, bone, mixed(local, fallen, share));
      local = fallen;
    }
    p.models[bone] = model_from_parent * matrix_of(local);
  }
  LocalToModelJob{
      .rig = rig, .locals = pose.locals, .models = pose.models, .model_from_root = pose.model_from_root, .from = first}
      .run();
  return true;
}

}  // namespace throng
