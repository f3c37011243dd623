// SPDX-License-Identifier: Apache-2.0
#include "ik/corrections.h"

namespace throng::detail::animator {

glm::quat carrying_rotation(const Affine& affine) { return rotation_of(glm::mat3(to_matrix(affine))); }

glm::vec3 direction_of(const Affine& affine, const glm::vec3& v) {
  const auto& r = affine.rows;
  return {glm::dot(glm::vec3(r[0]), v), glm::dot(glm::vec3(r[1]), v), glm::dot(glm::vec3(r[2]), v)};
}

namespace {

// The frame that a bone's local rotation is relative to.
glm::quat parent_rotation(const PoseEdit& pose, std::uint32_t bone) {
  const auto parent = pose.rig.parent(bone);
  return carrying_rotation(parent ? pose.models[*parent] : pose.model_from_root);
}

void correct_local(const PoseEdit& pose, const Correction& correction, float weight) {
  const glm::quat parent = parent_rotation(pose, correction.bone);
  const glm::quat by = glm::conjugate(parent) * fraction_of(correction.by, weight) * parent;
  BoneTransform local = local_of(pose.locals, correction.bone);
  local.rotation = glm::normalize(by * local.rotation);
  set_local(pose.locals, correction.bone, local);
}

}  // namespace

void update_models(const PoseEdit& pose, std::uint32_t from) {
  LocalToModelJob{.rig = pose.rig,
                  .locals = pose.locals,
                  .models = pose.models,
                  .model_from_root = pose.model_from_root,
                  .from = from}
      .run();
}

void apply_corrections(const PoseEdit& pose, std::span<const Correction> corrections, float weight) {
  if (corrections.empty() || !(weight > 0.0f)) return;
  // What rotates a parent carries its children along, so each is applied in the frame its parent had before any.
  for (const Correction& correction : corrections) correct_local(pose, correction, weight);
  update_models(pose, corrections.front().bone);
}

float rotate_to(const PoseEdit& pose, std::uint32_t bone, const glm::quat& model_from_bone, float weight) {
  const glm::quat wanted = glm::normalize(model_from_bone);
  const Correction correction{bone, wanted * glm::conjugate(carrying_rotation(pose.models[bone]))};
  apply_corrections(pose, {&correction, 1}, weight);
  return angle_of(wanted * glm::conjugate(carrying_rotation(pose.models[bone])));
}

bool is_chain(const Rig& rig, std::span<const std::uint32_t> bones) {
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i] >= rig.bone_count()) return false;
    if (i > 0 && (bones[i] == bones[i - 1] || !rig.is_below(bones[i], bones[i - 1]))) return false;
  }
  return !bones.empty();
}

}  // namespace throng::detail::animator

namespace throng {

bool PoseEdit::fits() const { return locals.size() >= rig.group_count() && models.size() >= rig.bone_count(); }

const char* to_text(IkFault fault) {
  switch (fault) {
    case IkFault::none:
      return "solved";
    case IkFault::spans:
      return "locals or models are not as long as the rig's";
    case IkFault::chain:
      return "the bones are no chain: each must exist and be below the one before";
    case IkFault::not_finite:
      return "a target, limit or weight, or the pose, is not a number";
    case IkFault::no_length:
      return "the chain or its axis has no length";
  }
  return "unknown";
}

}  // namespace throng
