// SPDX-License-Identifier: Apache-2.0
#include "surfaces/surface_pipelines.h"

#include <array>

#include "shader_code.h"
#include "throng/base/try.h"

namespace throng::detail::renderer {
namespace {

// Blended materials of thousands of unsorted characters are drawn by coverage; without samples to cover, by a cut at
// half.
float cutoff_of(const Material& material, VkSampleCountFlagBits samples) {
  switch (material.alpha_mode) {
    case AlphaMode::mask:
      return material.alpha_cutoff;
    case AlphaMode::blend:
      return samples == VK_SAMPLE_COUNT_1_BIT ? 0.5f : 0.02f;
    case AlphaMode::opaque:
      break;
  }
  return -1.0f;
}

}  // namespace

PipelineKey key_of(const Material& material, bool software) {
  PipelineKey key{.double_sided = material.double_sided, .alpha = material.alpha_mode};
  if (!software) return key;
  key.pictures = (material.base_image ? gpu::kBasePicture : 0u) | (material.normal_image ? gpu::kNormalPicture : 0u);
  return key;
}

GraphicsPipelineInfo colour_info(const RendererSettings& settings, VkPipelineLayout layout) {
  const RendererTargets& targets = settings.targets;
  const bool moves = targets.motion != VK_FORMAT_UNDEFINED;
  GraphicsPipelineInfo info{.layout = layout};
  if (settings.shading == Shading::plain)
    info.fragment_code =
        moves ? shader_code::character_motion_plain_fragment() : shader_code::character_plain_fragment();
  else
    info.fragment_code = moves ? shader_code::character_motion_fragment() : shader_code::character_fragment();
  info.colour = targets.colour;
  info.motion = targets.motion;
  info.depth = targets.depth;
  info.samples = targets.samples;
  info.depth_compare = targets.depth_compare;
  return info;
}

// Both sides cast: open meshes (capes, hair) have no back to cast for them.
GraphicsPipelineInfo shadow_info(const RendererTargets& targets, VkPipelineLayout layout) {
  GraphicsPipelineInfo info{.layout = layout};
  info.depth = targets.shadow;
  info.depth_compare = VK_COMPARE_OP_LESS;
  info.depth_bias_slope = 1.5f;
  return info;
}

bool suits_software(const GpuDevice& gpu, DrawnOn drawn_on) {
  if (drawn_on == DrawnOn::automatic) return gpu.is_software();
  return drawn_on == DrawnOn::software;
}

std::uint32_t sifted_samples(const GpuDevice& gpu, const RendererSettings& settings) {
  const VkSampleCountFlagBits samples = settings.targets.samples;
  const bool known = samples == VK_SAMPLE_COUNT_1_BIT || samples == VK_SAMPLE_COUNT_4_BIT;
  if (!suits_software(gpu, settings.drawn_on) || !known || gpu.limits().standardSampleLocations != VK_TRUE) return 0;
  return static_cast<std::uint32_t>(samples);
}

Result<PipelinePair> create_surface_pipelines(const GpuDevice& gpu, const RendererSettings& settings,
                                              VkPipelineLayout layout, const PipelineKey& key,
                                              const SurfaceShaders& shaders) {
  GraphicsPipelineInfo colour = colour_info(settings, layout);
  colour.vertex_code = shaders.colour;
  colour.constants = shaders.constants;
  colour.cull = key.double_sided ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT;
  colour.alpha_to_coverage = key.alpha == AlphaMode::blend && settings.targets.samples != VK_SAMPLE_COUNT_1_BIT;

  GraphicsPipelineInfo shadow = shadow_info(settings.targets, layout);
  shadow.vertex_code = shaders.shadow;
  if (key.alpha != AlphaMode::opaque) shadow.fragment_code = shader_code::character_shadow_fragment();
  shadow.constants = shaders.constants;

  PipelinePair pair;
  const std::uint32_t holes = key.alpha != AlphaMode::opaque ? 1 : 0;
  const std::array shadowed{1u, key.pictures, holes}, unshadowed{0u, key.pictures, holes};
  colour.fragment_constants = shadowed;
  THRONG_TRY(pair.colour, graphics_pipeline(gpu, colour));
  pair.unshadowed = pair.colour;
  if (suits_software(gpu, settings.drawn_on)) {
    colour.fragment_constants = unshadowed;
    THRONG_TRY(pair.unshadowed, graphics_pipeline(gpu, colour));
  }
  THRONG_TRY(pair.shadow, graphics_pipeline(gpu, shadow));
  return pair;
}

gpu::DrawUniforms surface_uniforms(const Material& material, std::uint32_t number, VkSampleCountFlagBits samples) {
  gpu::DrawUniforms uniforms{};
  uniforms.base_colour = material.base_colour;
  uniforms.alpha_cutoff = cutoff_of(material, samples);
  uniforms.material = number;
  uniforms.normal_scale = material.normal_image ? material.normal_scale : 0.0f;
  return uniforms;
}

}  // namespace throng::detail::renderer
