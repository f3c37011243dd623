// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute pipelines of a crowd pipeline: those that all models share, and those made for one.

#include "far/model_resources.h"
#include "throng/renderer/renderer_settings.h"

namespace throng::detail::renderer {

// Bindings of set 0 in the planning passes (plan.glsl, arrange.comp).
enum class PlanBinding : std::uint8_t {
  image,
  models,
  plans,
  ranges,
  commands,
  counts,
  near_draws,
  near_commands,
  count
};
std::vector<BindingSpec> plan_bindings();
// … of set 2 in the pass that looks for hidden characters (occluders.glsl).
std::vector<BindingSpec> occluder_bindings();

struct CrowdPipelineSettings {
  std::uint32_t images_in_flight = 2;
  bool pooled = true;  // vertices are skinned here; if not, by whoever draws
  std::uint32_t pool_vertices = RendererSettings{}.pool_vertices;
  bool motion = false;  // what was shown in the last image is kept for whoever draws
  std::array<LevelQuality, kMostLevelQualities> qualities = RendererSettings{}.qualities;
};

struct CrowdPrograms {
  static Result<CrowdPrograms> create(const GpuDevice& gpu);

  DescriptorSets plan_layout;        // no sets: those are made with their buffers
  DescriptorSets model_layout;       // …
  DescriptorSets change_layout;      // …
  DescriptorSets occluder_layout;    // …
  VkOwned<VkPipelineLayout> layout;  // plan, model; pushes 16 bytes
  VkOwned<VkPipelineLayout> changing;
  VkOwned<VkPipelineLayout> hiding;  // plan, model, occluders; pushes 16 bytes
  VkOwned<VkPipeline> change;
  VkOwned<VkPipeline> cull;
  VkOwned<VkPipeline> cull_hidden;  // … those behind occluders too
  VkOwned<VkPipeline> plan;
  VkOwned<VkPipeline> count;
  VkOwned<VkPipeline> scan;
  VkOwned<VkPipeline> arrange;
};

struct ModelPrograms {
  static Result<ModelPrograms> create(const GpuDevice& gpu, const CrowdPrograms& shared, const ModelResources& model,
                                      const CrowdPipelineSettings& settings);

  VkOwned<VkPipeline> gather;
  VkOwned<VkPipeline> pose;               // none: no local8 clips
  std::vector<VkOwned<VkPipeline>> skin;  // level by level; none when not pooled
  std::uint32_t pose_together = 0;        // characters in one group of threads; 0: no such pass
  std::uint32_t skin_together = 0;
};

}  // namespace throng::detail::renderer
