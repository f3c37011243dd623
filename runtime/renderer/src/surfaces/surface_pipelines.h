// SPDX-License-Identifier: Apache-2.0
#pragma once
// How surfaces of characters are drawn, whoever skinned them: what of a material decides its pipelines, and what its
// draws are told.

#include "throng/character/character.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/renderer_settings.h"
#include "throng/shaders/shared/scene.h"

namespace throng::detail::renderer {

inline constexpr VkShaderStageFlags kDrawStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

struct PipelineKey {
  bool double_sided = false;
  AlphaMode alpha = AlphaMode::opaque;
  std::uint32_t pictures = gpu::kAllPictures;  // which the fragment shader looks at

  friend auto operator<=>(const PipelineKey&, const PipelineKey&) = default;
};

// `software`: with pipelines that look at no picture the material does not have. A GPU has one pipeline for both.
PipelineKey key_of(const Material& material, bool software);

struct PipelinePair {
  VkPipeline colour = VK_NULL_HANDLE;
  VkPipeline unshadowed = VK_NULL_HANDLE;  // colour, where the sun throws no shadows
  VkPipeline shadow = VK_NULL_HANDLE;
};

// Vertex shaders; fragments are those of all characters.
struct SurfaceShaders {
  std::span<const std::uint32_t> colour;
  std::span<const std::uint32_t> shadow;
  std::span<const std::uint32_t> constants;
};

// What all that is drawn of characters and their props begins with: the colour pass has its fragment shader too.
GraphicsPipelineInfo colour_info(const RendererSettings& settings, VkPipelineLayout layout);
GraphicsPipelineInfo shadow_info(const RendererTargets& targets, VkPipelineLayout layout);

// Whether what saves work on a driver without a GPU, and costs a GPU, is done.
bool suits_software(const GpuDevice& gpu, DrawnOn drawn_on);

// FarPipelineSettings::sift_samples: where that is so, and samples lie where Vulkan usually has them.
std::uint32_t sifted_samples(const GpuDevice& gpu, const RendererSettings& settings);

Result<PipelinePair> create_surface_pipelines(const GpuDevice& gpu, const RendererSettings& settings,
                                              VkPipelineLayout layout, const PipelineKey& key,
                                              const SurfaceShaders& shaders);

// All but the matrix. `number`: of the material in its model.
gpu::DrawUniforms surface_uniforms(const Material& material, std::uint32_t number, VkSampleCountFlagBits samples);

}  // namespace throng::detail::renderer
