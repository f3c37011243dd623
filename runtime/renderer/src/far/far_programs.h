// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute pipelines of far characters: those that all models share, and those made for one.

#include <array>
#include <optional>

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
  near_calls,
  near_commands,
  count
};
std::vector<BindingSpec> plan_bindings();
// Bindings of set 2 in the pass that looks for hidden characters (occluders.glsl).
std::vector<BindingSpec> occluder_bindings();

struct FarPipelineSettings {
  bool pooled = true;   // vertices are skinned here; if not, by whoever draws
  bool motion = false;  // what was shown in the last image is kept for whoever draws
  // For drivers without a GPU: models whose clips the pose pass works out are read as texels (model_texels.glsl).
  bool texels = false;
  // Triangles of pictures of so many samples a pixel are sorted out before they are drawn; 0: they are not.
  std::uint32_t sift_samples = 0;
  // Whether culling looks at the spheres around characters before their boxes; nothing: where there is a GPU.
  std::optional<bool> spheres = std::nullopt;
  std::array<LevelQuality, kMostLevelQualities> qualities = RendererSettings{}.qualities;
};

struct FarPrograms {
  static Result<FarPrograms> create(const GpuDevice& gpu, const FarPipelineSettings& settings);

  DescriptorSets plan_layout;                // no sets: those are made with their buffers
  DescriptorSets model_layout;               // no sets
  DescriptorSets change_layout;              // no sets
  DescriptorSets occluder_layout;            // no sets
  VkPipelineLayout layout = VK_NULL_HANDLE;  // plan, model; pushes 16 bytes
  VkPipelineLayout changing = VK_NULL_HANDLE;
  VkPipelineLayout hiding = VK_NULL_HANDLE;  // plan, model, occluders; pushes 16 bytes
  VkPipeline change = VK_NULL_HANDLE;
  // The second of each is for images without a budget of vertices: it counts characters level by level.
  std::array<VkPipeline, 2> cull{};
  std::array<VkPipeline, 2> cull_hidden{};  // leaves out those behind occluders too
  VkPipeline plan = VK_NULL_HANDLE;
  VkPipeline count = VK_NULL_HANDLE;
  VkPipeline scan = VK_NULL_HANDLE;
  VkPipeline arrange = VK_NULL_HANDLE;
};

struct ModelPrograms {
  static Result<ModelPrograms> create(const GpuDevice& gpu, const FarPrograms& shared, const ModelResources& model,
                                      const FarPipelineSettings& settings);

  VkPipeline gather = VK_NULL_HANDLE;
  VkPipeline pose = VK_NULL_HANDLE;  // none: no local8 or localv clips
  std::vector<VkPipeline> skin;      // level by level; none when not pooled
  std::uint32_t pose_together = 0;   // characters in one group of threads; 0: no such pass
  std::uint32_t skin_together = 0;
};

}  // namespace throng::detail::renderer
