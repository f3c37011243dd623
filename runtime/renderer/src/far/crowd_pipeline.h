// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute side of far characters: holds the models and their characters in GPU memory, uploads what changed, and
// finds out for every image who is drawn, at which level, at which moment, and where their vertices are. What it leaves
// behind are indirect draws, those of near characters among them, for CharacterRenderer to record.

#include <optional>

#include "far/crowd_buffers.h"
#include "far/crowd_programs.h"
#include "model_draws.h"
#include "shared_images.h"
#include "throng/playback/crowd.h"
#include "throng/renderer/renderer_settings.h"

namespace throng::detail::renderer {

// What the near characters of an image bring into it.
struct NearShare {
  std::uint64_t vertices = 0;  // at the head of the pool
  bool tangents = false;       // whether any of them has some
  std::uint32_t commands = 0;  // draws that are arranged together with those of far ones
};

class CrowdPipeline {
 public:
  // `images` outlives it.
  static Result<CrowdPipeline> create(std::shared_ptr<GpuDevice> gpu, SharedImages& images,
                                      const CrowdPipelineSettings& settings);
  CrowdPipeline(CrowdPipeline&&) noexcept;
  CrowdPipeline& operator=(CrowdPipeline&&) noexcept;
  ~CrowdPipeline();

  // Without `far` it has no characters of the crowd, and its draws are those of near ones.
  Result<std::uint32_t> add(const Character& model, const ModelDraws& draws, bool far = true);
  void drop_last_model();  // whose pipelines could not be made
  // `models`: which of those that were added each of the crowd's is.
  Result<void> update(const Crowd& crowd, std::span<const std::uint32_t> models);
  Result<void> set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);
  // Of one image, in this order (image_passes.cpp).
  Result<void> make_room(const RendererImage& image);
  Result<void> bind_pool(const VertexPool& pool);  // another one than before. What fails leaves the old one bound
  Result<void> record_upload(VkCommandBuffer commands, const RendererImage& image, const NearShare& near);
  void record_plan(VkCommandBuffer commands, const RendererImage& image);
  void record_skinning(VkCommandBuffer commands);
  void finish(VkCommandBuffer commands);
  void drop_image();  // the last that was recorded: it is never submitted

  // Binds what the drawing passes read of a model: set 1 of `layout`.
  void bind(VkCommandBuffer commands, VkPipelineLayout layout, std::uint32_t model) const;
  // Draws one part of a model as view `view` sees it; part_count: its specks.
  void draw(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view, std::uint32_t part) const;

  VkDescriptorSetLayout model_layout() const;
  std::uint32_t model_count() const;
  const ModelResources& model(std::uint32_t model) const;
  VkDescriptorSet model_set(std::uint32_t model) const;
  std::uint32_t instance_count(std::uint32_t model) const;
  std::uint32_t view_count() const;  // of the image that was recorded last
  bool pooled() const;
  VertexNeeds vertex_needs() const;
  std::uint32_t draw_count() const;                     // of all models: each part and the specks, in every view
  std::uint32_t first_draw(std::uint32_t model) const;  // where its own begin: view by view, part by part, the specks
  const DescriptorSets& plan_set() const;               // of the image that is being recorded
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
