#pragma once
// One baked model and its instances in GPU memory, bound as set 1 of shaders/include/throng/shaders/crowd.glsl.

#include <optional>

#include "pose_pass.h"

namespace throng {

class ModelResources {
 public:
  ModelResources() = default;
  // `stages`: the shader stages that read the set.
  static Result<ModelResources> create(Gpu& gpu, const BakedModel& model, VkShaderStageFlags stages);

  // Refused in words, and then the old ones stay.
  Result<void> set_instances(Gpu& gpu, std::span<const InstanceRecord> instances);

  // Of models with local8 clips; others need none and record nothing. See PosePass::record.
  bool has_pose_pass() const { return pose_.has_value(); }
  void record_poses(const Gpu& gpu, VkCommandBuffer commands, std::uint64_t now, VkPipelineStageFlags2 reader) const;

  VkDescriptorSetLayout set_layout() const { return sets_.layout(); }
  VkDescriptorSet set() const { return sets_[0]; }
  const Buffer& indices() const { return indices_; }
  std::uint32_t vertex_count() const { return vertex_count_; }
  std::uint32_t instance_count() const { return instance_count_; }
  const Bounds& bounds() const { return bounds_; }
  float reach() const { return reach_; }  // how far any vertex gets from its instance's position, at scale 1

  // Specialisation constants of crowd.glsl.
  std::span<const std::uint32_t> constants() const { return constants_; }

 private:
  Result<void> upload(Gpu& gpu, const BakedModel& model);
  Result<void> make_set(Gpu& gpu, const BakedModel& model, VkShaderStageFlags stages);
  void bind_poses();

  std::array<std::uint32_t, 7> constants_{};
  std::vector<Bounds> clip_bounds_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t instance_count_ = 0;
  Bounds bounds_;
  float reach_ = 0.0f;
  Buffer vertices_;
  Buffer indices_;
  Buffer clips_;
  Buffer table_;
  Buffer instances_;
  ImageResource atlas_;
  Unique<VkSampler> atlas_sampler_;
  DescriptorSets sets_;
  std::optional<PosePass> pose_;
};

}  // namespace throng
