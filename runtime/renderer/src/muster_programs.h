#pragma once
// The compute pipelines of a muster: those that all models share, and those made for one.

#include "model_resources.h"
#include "throng/renderer/crowd_renderer.h"

namespace throng {

// Bindings of set 0 in the planning passes (plan.glsl).
std::vector<BindingSpec> plan_bindings();
// … of set 2 in the pass that looks for hidden characters (occluders.glsl).
std::vector<BindingSpec> occluder_bindings();

struct MusterSettings {
  std::uint32_t images_in_flight = 2;
  bool pooled = true;   // vertices are skinned here; if not, by whoever draws
  bool motion = false;  // what was shown in the last image is kept for whoever draws
  std::array<LevelQuality, kMostLevelQualities> qualities = CrowdSettings{}.qualities;
};

struct MusterPrograms {
  static Result<MusterPrograms> create(const Gpu& gpu);

  DescriptorSets plan_layout;       // no sets: those are made with their buffers
  DescriptorSets model_layout;      // …
  DescriptorSets change_layout;     // …
  DescriptorSets occluder_layout;   // …
  Unique<VkPipelineLayout> layout;  // plan, model; pushes 16 bytes
  Unique<VkPipelineLayout> changing;
  Unique<VkPipelineLayout> hiding;  // plan, model, occluders; pushes 16 bytes
  Unique<VkPipeline> change;
  Unique<VkPipeline> cull;
  Unique<VkPipeline> cull_hidden;  // … those behind occluders too
  Unique<VkPipeline> plan;
  Unique<VkPipeline> count;
  Unique<VkPipeline> scan;
  Unique<VkPipeline> arrange;
};

struct ModelPrograms {
  static Result<ModelPrograms> create(const Gpu& gpu, const MusterPrograms& shared, const ModelResources& model,
                                      const MusterSettings& settings);

  Unique<VkPipeline> gather;
  Unique<VkPipeline> pose;               // none: no local8 clips
  std::vector<Unique<VkPipeline>> skin;  // level by level; none when not pooled
  std::uint32_t pose_together = 0;       // characters in one group of threads; 0: no such pass
  std::uint32_t skin_together = 0;
};

}  // namespace throng
