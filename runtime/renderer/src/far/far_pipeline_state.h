// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a FarPipeline holds.

#include "far/far_pipeline.h"

namespace throng::detail::renderer {

// One image in flight: what the host writes for it, and reads after it.
struct FarSlot {
  struct Upload {
    Buffer changes;
    Buffer places;
    Buffer whole;  // all characters: instances, then plays
    DescriptorSets set;
  };
  Buffer staging;  // ImageRecord, then a ModelRecord for each: written by the host
  Buffer image;    // the ImageRecord where the GPU reads it fast: every thread of every pass does
  Buffer models;   // the ModelRecords where the GPU reads them fast
  Buffer plans;    // read back
  DescriptorSets set;
  DescriptorSets occluders;     // none before an image has them
  std::vector<Upload> uploads;  // model by model
};

struct FarModel {
  ModelResources resources;
  DrawTable draw_table;
  bool far = true;  // whether it may have characters
  ModelPrograms programs;
  FarBuffers buffers;
  ModelSet set;
  TriangleSift sift;
  bool is_sifted = false;  // in the image that was recorded last
  PendingChanges pending;
  PendingChanges sent;  // with the image that was recorded last, should it never be submitted
  std::uint32_t count = 0;
  std::uint32_t prepared_count = 0;   // of the last image
  std::shared_ptr<const void> crowd;  // which it was that they were last taken from; none: no crowd
  std::uint64_t version = 0;          // of the crowd, as it was last seen
  Bounds bounds;
  double largest = 0.0;  // scale of any of them
  double beyond = 0.0;   // how much farther than its boxes they reach for what they carry, model units
  gpu::ModelRecord record{};
  // What was shown, when its buffer is new: to be taken over from the old one, as far as that goes.
  struct HistoryCopy {
    bool is_new = true;
    VkBuffer from = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0;
  };
  HistoryCopy history;
  bool sent_history = false;  // with the image that was recorded last
};

struct FarPipeline::State {
  std::shared_ptr<GpuDevice> gpu;
  SharedImages* images = nullptr;
  FarPipelineSettings settings;
  FarPrograms programs;
  std::vector<FarModel> models;
  std::vector<FarSlot> slots;  // as the ring counts them
  Buffer plans;
  std::uint64_t plans_number = 0;  // how many buffers of plans there were
  Buffer ranges;
  Buffer commands;
  Buffer command_counts;    // of every call
  std::uint32_t views = 1;  // of the last image
  std::uint32_t view_room = 1;
  bool prepared = false;
  std::uint32_t call_count = 0;  // of all models

  // What add() does, step by step.
  Result<void> arrange_shared();
  Result<void> make_shared_buffers();
  Result<void> make_slot(FarSlot& slot) const;
  Result<ModelSet> make_set(const FarBuffers& buffers, const ModelResources& resources,
                            const VertexPool& vertices) const;

  // What update() and set_instances() do.
  Result<void> check_count(const FarModel& model, std::size_t count) const;
  Result<void> check_all(const FarModel& model, std::span<const InstanceRecord> instances,
                         std::span<const PlayRecord> plays) const;
  // What changed of model `from` of the crowd, which is model `to` here.
  std::optional<std::span<const std::uint32_t>> news_of(const Crowd& crowd, ModelId from, std::uint32_t to) const;
  Result<void> check_news(const Crowd& crowd, ModelId from, std::uint32_t to) const;
  void take_all(FarModel& model, std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays);
  void take_changes(FarModel& model, std::span<const std::uint32_t> changed, std::span<const InstanceRecord> instances,
                    std::span<const PlayRecord> plays);

  // What recording an image does, step by step.
  FarSlot& slot() { return slots[images->ring.slot()]; }
  Result<void> make_view_room(std::uint32_t view_count);
  VertexNeeds vertex_needs() const;
  void copy_history(VkCommandBuffer into);
  Result<void> upload(VkCommandBuffer into);
  Result<void> replace_characters(VkCommandBuffer into, FarModel& model, FarSlot::Upload& to);
  Result<void> change_characters(VkCommandBuffer into, FarModel& model, FarSlot::Upload& to);
  void write_image(VkCommandBuffer into, const RendererImage& image, std::uint32_t near_commands);
  Result<void> bind_occluders(const RendererImage& image);
  void cull(VkCommandBuffer into, const RendererImage& image, bool counts);
  void plan(VkCommandBuffer into, const RendererImage& image);
  // Runs a pass of one model, or of all together where it is none.
  template <class Batch>
  void dispatch(VkCommandBuffer into, VkPipeline pipeline, const FarModel* model, const Batch& batch,
                std::uint32_t groups);
  void animate(VkCommandBuffer into, const RendererImage& image);
  void mark(VkCommandBuffer into, const RendererImage& image, FarMark which) const;
};

}  // namespace throng::detail::renderer
