// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute side of a crowd: holds the models and their characters in GPU memory, uploads what changed, and finds out
// for every image who is drawn, at which level, at which moment, and where their vertices are. What it leaves behind
// are indirect draws for others to record.

#include <optional>

#include "far/crowd_buffers.h"
#include "far/crowd_programs.h"
#include "throng/gpu/frame_ring.h"
#include "throng/renderer/crowd_renderer.h"

namespace throng::detail::renderer {

class CrowdPipeline {
 public:
  static Result<CrowdPipeline> create(std::shared_ptr<GpuDevice> gpu, const CrowdPipelineSettings& settings);
  CrowdPipeline(CrowdPipeline&&) noexcept;
  CrowdPipeline& operator=(CrowdPipeline&&) noexcept;
  ~CrowdPipeline();

  Result<std::uint32_t> add_model(const Character& model);
  void drop_last_model();  // whose pipelines could not be made
  Result<void> update(const Crowd& crowd);
  Result<void> set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);
  Result<void> record(VkCommandBuffer commands, const CrowdImage& image);
  void drop_image();  // the last that was recorded: it is never submitted

  // Binds what the drawing passes read of a model (set 1 of `layout`) and its triangles.
  void bind(VkCommandBuffer commands, VkPipelineLayout layout, std::uint32_t model) const;
  // Draws one part of a model as view `view` sees it; part_count: its specks.
  // `unpooled`: those of its characters whose vertices the pool has no room for.
  void draw(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view, std::uint32_t part,
            bool unpooled = false) const;

  VkDescriptorSetLayout model_layout() const;
  std::uint32_t model_count() const;
  const ModelResources& model(std::uint32_t model) const;
  VkDescriptorSet model_set(std::uint32_t model) const;
  std::uint32_t instance_count(std::uint32_t model) const;
  std::uint32_t view_count() const;  // of the image that was recorded last
  bool pooled() const;
  bool overflows() const;  // whether the image that was recorded last may have unpooled characters to draw
  FrameRing& ring();       // for what passes of the same images retire
  std::uint32_t prepared_count(std::uint32_t model) const;  // characters of the image that was recorded last
  Bounds bounds() const;
  CrowdCounts counts() const;
  const gpu::PlanRecord* plan(std::uint32_t model) const;  // of the image that was recorded last, once it has finished
  const Buffer& drawn(std::uint32_t model) const;
  const Buffer& plans() const;
  std::uint32_t capacity(std::uint32_t model) const;  // of each view's list

 private:
  struct State;
  explicit CrowdPipeline(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng::detail::renderer
