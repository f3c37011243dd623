// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the far characters of one model take on the GPU, sized by how many there may be; and what is on its way there.

#include "far/model_resources.h"
#include "throng/gpu/descriptors.h"
#include "throng/shaders/shared/changes.h"

namespace throng::detail::renderer {

// The buffers of set 1 of far_model.glsl that grow with the crowd.
struct FarBuffers {
  static Result<FarBuffers> create(GpuDevice& gpu, const ModelResources& model, std::uint32_t capacity,
                                   std::uint32_t views, bool motion);
  void bind(const DescriptorSets& sets, const ModelResources& model) const;
  Result<void> bind_texels(const GpuDevice& gpu, ModelSet& set, const ModelResources& model) const;

  std::uint32_t capacity = 0;  // characters
  std::uint32_t views = 0;
  Buffer instances;
  Buffer plays;
  Buffer drawn;
  Buffer view_lists;  // view by view, who is drawn in it
  Buffer palette;     // none without local8 or localv clips
  Buffer codes;
  Buffer group_counts;
  Buffer history;  // these two for motion vectors only (history.glsl)
  Buffer last;
};

// How many characters of a model this device can hold.
std::uint32_t most_characters(const VkPhysicalDeviceLimits& limits, const ModelResources& model);

std::uint32_t cull_groups(std::uint32_t characters);

// Characters that were changed and are not uploaded yet. Costs what changed.
class PendingChanges {
 public:
  void replace(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays);
  void change(std::uint32_t index, const InstanceRecord& instance, const PlayRecord& play);
  void clear();

  bool replaces() const { return replaces_; }
  std::span<const InstanceRecord> instances() const { return instances_; }
  std::span<const PlayRecord> plays() const { return plays_; }
  std::span<const gpu::ChangeRecord> changes() const { return changes_; }
  std::span<const std::uint32_t> places() const { return places_; }

 private:
  bool replaces_ = false;
  std::vector<InstanceRecord> instances_;
  std::vector<PlayRecord> plays_;
  std::vector<gpu::ChangeRecord> changes_;
  std::vector<std::uint32_t> places_;  // of each change
  std::vector<std::uint32_t> known_;   // of each character: its change's number and one, or 0
};

}  // namespace throng::detail::renderer
