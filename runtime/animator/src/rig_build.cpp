// SPDX-License-Identifier: Apache-2.0
#include "rig_state.h"

namespace throng {
namespace {

using detail::animator::BoneOrder;

BoneOrder order_bones(std::span<const MotionBone> bones) {
  const std::size_t count = bones.size();
  std::vector<std::uint32_t> carried(count, 1);  // itself and all below
  BoneOrder order{std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count),
                  std::vector<std::uint32_t>(count)};
  for (std::size_t bone = count; bone-- > 0;) {
    order.last_below[bone] = std::max(order.last_below[bone], static_cast<std::uint32_t>(bone));
    const auto parent = bones[bone].parent;
    if (!parent) continue;
    carried[*parent] += carried[bone];
    order.last_below[*parent] = std::max(order.last_below[*parent], order.last_below[bone]);
  }
  std::uint32_t next_root = 0;
  std::vector<std::uint32_t> next_child(count);
  for (std::size_t bone = 0; bone < count; ++bone) {
    const auto parent = bones[bone].parent;
    std::uint32_t& next = parent ? next_child[*parent] : next_root;
    order.walk_number[bone] = next;
    order.walk_end[bone] = next + carried[bone];
    next_child[bone] = next + 1;
    next = order.walk_end[bone];
  }
  return order;
}

std::vector<SoaTransform> rest_of(const Motion& motion) {
  std::vector<SoaTransform> rest(motion.group_count());
  for (std::uint32_t bone = 0; bone < 4 * rest.size(); ++bone) {
    const Transform local = bone < motion.bones().size() ? motion.bones()[bone].rest : Transform{};
    set_local(rest, bone,
              {glm::vec3(local.translation), glm::quat(glm::normalize(local.rotation)), glm::vec3(local.scale)});
  }
  return rest;
}

}  // namespace

Result<std::shared_ptr<const Rig>> build_rig(const Character& character) {
  return character.motion().map([](const Motion& motion) { return build_rig(motion); });
}

std::shared_ptr<const Rig> build_rig(const Motion& motion) {
  auto state = std::make_unique<Rig::State>(motion);
  for (const MotionBone& bone : motion.bones()) {
    state->bone_names.push_back(bone.name);
    state->parents.push_back(bone.parent ? static_cast<std::int32_t>(*bone.parent) : -1);
  }
  state->order = order_bones(motion.bones());
  state->rest = rest_of(motion);
  for (const glm::dmat4& m : model_from_bones_at_rest(motion)) state->rest_models.push_back(to_affine(glm::mat4(m)));
  for (const MotionClip& clip : motion.clips())
    state->clips.push_back({clip.name, clip.length, clip.loops, clip.events, clip.list_count});
  for (const MotionBinding& binding : motion.bindings()) {
    state->bone_from_meshes.push_back(to_affine(glm::mat4(binding.bone_from_mesh)));
    state->bound_bones.push_back(binding.bone);
  }
  return std::shared_ptr<const Rig>(new Rig(std::move(state)));
}

}  // namespace throng
