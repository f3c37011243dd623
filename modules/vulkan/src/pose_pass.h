#pragma once
// The pose pass of models with local8 clips (shaders/pose.comp): which instances need it, where their poses go, and how
// it is recorded. Models without such clips have none.

#include <vector>

#include "descriptors.h"
#include "throng/asset/baked_model.h"

namespace throng {

// Which instances have a pose of their own, as crowd.glsl reads it: one number an instance, then the instances that
// have one, in the order of their numbers.
struct PoseSlots {
  std::vector<std::uint32_t> words;
  std::uint32_t instance_count = 0;
  std::uint32_t posed_count = 0;
};

PoseSlots assign_pose_slots(std::span<const InstanceRecord> instances, const std::vector<bool>& clip_is_local);

bool has_local_clips(const BakedModel& model);

class PosePass {
 public:
  PosePass() = default;
  // `model_layout`: of crowd.glsl's set 1, which the pass reads too; `constants`: crowd.glsl's.
  static Result<PosePass> create(Gpu& gpu, const BakedModel& model, VkDescriptorSetLayout model_layout,
                                 std::span<const std::uint32_t> constants);

  // What another crowd takes. Everything that may be refused is refused here, in words, and nothing has changed.
  struct Change {
    PoseSlots slots;
    Buffer slot_buffer;  // none: the old ones have room
    Buffer palette;      // …
  };
  Result<Change> prepare(Gpu& gpu, std::span<const InstanceRecord> instances) const;
  // Uploads, and waits for it and for all that the queue was given before.
  Result<void> commit(Gpu& gpu, Change change);

  // For bindings 5 and 6 of set 1. They change when a crowd grows.
  const Buffer& slots() const { return slots_; }
  const Buffer& palette() const { return palette_; }

  // Outside rendering. Waits, on the GPU, until `reader` stages that were recorded before have read the last poses, and
  // lets those after read the new ones.
  void record(const Gpu& gpu, VkCommandBuffer commands, VkDescriptorSet model_set, std::uint64_t now,
              VkPipelineStageFlags2 reader) const;

 private:
  Result<void> upload(Gpu& gpu, const BakedModel& model);
  Result<void> make_pipeline(const Gpu& gpu, VkDescriptorSetLayout model_layout,
                             std::span<const std::uint32_t> model_constants);

  std::vector<bool> clip_is_local_;
  std::uint32_t columns_ = 0;
  std::uint32_t together_ = 1;  // instances in one group of threads
  std::uint32_t shared_links_ = 0;
  std::uint32_t instance_count_ = 0;
  std::uint32_t posed_count_ = 0;
  Buffer links_;
  Buffer columns_buffer_;
  Buffer slots_;
  Buffer palette_;
  DescriptorSets sets_;
  Unique<VkPipelineLayout> layout_;
  Unique<VkPipeline> pipeline_;
};

}  // namespace throng
