// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute side of far characters, those of a Crowd. This folder holds all of it, and of near characters (../near)
// only where their commands go: the models and their characters in GPU memory (ModelResources, FarBuffers), the
// programs (FarPrograms), what is uploaded for an image (far_pipeline_upload.cpp), and the passes that find out who is
// drawn, at which level, at which moment, and where their vertices are (far_pipeline_passes.cpp). What they leave
// behind are the indirect calls of each draw, with the commands of near characters among them, for CharacterRenderer to
// record.

#include <optional>

#include "draw_table.h"
#include "far/far_buffers.h"
#include "far/far_programs.h"
#include "far/triangle_sift.h"
#include "shared_images.h"
#include "throng/playback/crowd.h"
#include "throng/renderer/renderer_settings.h"

namespace throng::detail::renderer {

class FarPipeline {
 public:
  // `images` outlives it.
  static Result<FarPipeline> create(std::shared_ptr<GpuDevice> gpu, SharedImages& images,
                                    const FarPipelineSettings& settings);
  FarPipeline(FarPipeline&&) noexcept;
  FarPipeline& operator=(FarPipeline&&) noexcept;
  ~FarPipeline();

  // Without `far` it has no far characters, and its draws are those of near ones.
  Result<std::uint32_t> add(const Character& character, const DrawTable& draw_table, bool far = true);
  // Its triangles are sorted out before they are drawn, where FarPipelineSettings say so. `one_sided`: of each draw.
  Result<void> sift(std::uint32_t model, const Buffer& triangles, std::span<const std::uint32_t> one_sided);
  void drop_last_model();  // whose pipelines could not be made
  // Its characters carry something that reaches so much farther than their boxes, model units.
  void carry(std::uint32_t model, double beyond);
  // `models`: which of those that were added each of the crowd's is.
  Result<void> update(const Crowd& crowd, std::span<const std::uint32_t> models);
  Result<void> set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                             std::span<const PlayRecord> plays);
  // The steps of one image, in this order (image_passes.cpp).
  Result<void> make_room(const RendererImage& image);
  Result<void> make_sift_room(const RendererImage& image);  // once the pool has room
  Result<void> bind_pool(const VertexPool& pool);  // another one than before. What fails leaves the old one bound
  Result<void> record_upload(VkCommandBuffer commands, const RendererImage& image, const NearCalls& near);
  void record_plan(VkCommandBuffer commands, const RendererImage& image);
  void record_skinning(VkCommandBuffer commands, const RendererImage& image);
  void record_sifting(VkCommandBuffer commands, const RendererImage& image);
  void finish(VkCommandBuffer commands);
  void drop_image();  // the last that was recorded: it is never submitted

  // Binds what the drawing passes read of a model: set 1 of `layout`.
  void bind(VkCommandBuffer commands, VkPipelineLayout layout, std::uint32_t model) const;
  // Records the call of one draw of a model in a view; behind its draws: that of its specks.
  void draw(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view, std::uint32_t draw) const;
  // Whether its triangles were sorted out in the image that was recorded last; then what draws the picture's far
  // characters, before draw() draws the near ones.
  bool is_sifted(std::uint32_t model) const;
  const TriangleSift& sift_of(std::uint32_t model) const;

  VkDescriptorSetLayout model_layout() const;
  std::uint32_t model_count() const;
  const ModelResources& model(std::uint32_t model) const;
  VkDescriptorSet model_set(std::uint32_t model) const;
  std::uint32_t instance_count(std::uint32_t model) const;
  std::uint32_t view_count() const;  // of the image that was recorded last
  bool pooled() const;
  VertexNeeds vertex_needs() const;
  std::uint32_t call_count() const;                         // of all models: each draw and the specks, in every view
  std::uint32_t first_call(std::uint32_t model) const;      // where its own begin, as gpu::call_number counts on
  std::uint32_t prepared_count(std::uint32_t model) const;  // characters of the image that was recorded last
  Bounds bounds() const;
  CrowdCounts counts() const;
  const gpu::PlanRecord* plan(std::uint32_t model) const;  // of the image that was recorded last, once it has finished
  const Buffer& drawn(std::uint32_t model) const;
  NumberedBuffer plans() const;
  std::uint32_t capacity(std::uint32_t model) const;  // of each view's list

 private:
  struct State;
  explicit FarPipeline(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng::detail::renderer
