// SPDX-License-Identifier: Apache-2.0
#include "gpu/ui_pipeline.h"

#include <imgui.h>

#include <cstddef>
#include <span>

namespace throng::studio {
namespace {

constexpr std::uint32_t kVertexCode[] = {
#include "ui.vert.inc"
};
constexpr std::uint32_t kFragmentCode[] = {
#include "ui.frag.inc"
};

Result<Owned<VkShaderModule>> make_shader(const WindowDevice& device, std::span<const std::uint32_t> code) {
  VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = code.size_bytes();
  info.pCode = code.data();
  return make(device, &VolkDeviceTable::vkCreateShaderModule, &VolkDeviceTable::vkDestroyShaderModule, info,
              "make a shader");
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits which, VkShaderModule module) {
  VkPipelineShaderStageCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = which;
  info.module = module;
  info.pName = "main";
  return info;
}

constexpr VkVertexInputBindingDescription kBinding{0, sizeof(ImDrawVert), VK_VERTEX_INPUT_RATE_VERTEX};
constexpr std::array<VkVertexInputAttributeDescription, 3> kAttributes{
    {{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, pos)},
     {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, uv)},
     {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ImDrawVert, col)}}};

// Over what is there, by the shape's own opacity.
VkPipelineColorBlendAttachmentState blending() {
  VkPipelineColorBlendAttachmentState state{};
  state.blendEnable = VK_TRUE;
  state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  return state;
}

// Every fixed stage, with what it points to.
struct FixedStages {
  VkPipelineVertexInputStateCreateInfo input{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineViewportStateCreateInfo viewport{.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster{.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState attachment = blending();
  VkPipelineColorBlendStateCreateInfo blend{.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  std::array<VkDynamicState, 2> dynamic_states{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};

  FixedStages() {
    input.vertexBindingDescriptionCount = 1;
    input.pVertexBindingDescriptions = &kBinding;
    input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(kAttributes.size());
    input.pVertexAttributeDescriptions = kAttributes.data();
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    viewport.viewportCount = 1;
    viewport.scissorCount = 1;
    raster.polygonMode = VK_POLYGON_MODE_FILL;
    raster.lineWidth = 1.0f;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    blend.attachmentCount = 1;
    blend.pAttachments = &attachment;
    dynamic.dynamicStateCount = static_cast<std::uint32_t>(dynamic_states.size());
    dynamic.pDynamicStates = dynamic_states.data();
  }
  FixedStages(const FixedStages&) = delete;
  FixedStages& operator=(const FixedStages&) = delete;
};

}  // namespace

Result<Owned<VkPipelineLayout>> make_ui_layout(const WindowDevice& device, VkDescriptorSetLayout pictures) {
  const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(ScreenTransform)};
  VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &pictures;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  return make(device, &VolkDeviceTable::vkCreatePipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout, info,
              "make a pipeline layout");
}

Result<Owned<VkPipeline>> make_ui_pipeline(const WindowDevice& device, VkPipelineLayout layout, VkFormat colour) {
  auto vertex = make_shader(device, kVertexCode);
  if (!vertex) return fail(std::move(vertex));
  auto fragment = make_shader(device, kFragmentCode);
  if (!fragment) return fail(std::move(fragment));
  const std::array stages{stage(VK_SHADER_STAGE_VERTEX_BIT, vertex->get()),
                          stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment->get())};
  const FixedStages fixed;
  VkPipelineRenderingCreateInfo target{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  target.colorAttachmentCount = 1;
  target.pColorAttachmentFormats = &colour;
  VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &target};
  info.stageCount = static_cast<std::uint32_t>(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = &fixed.input;
  info.pInputAssemblyState = &fixed.assembly;
  info.pViewportState = &fixed.viewport;
  info.pRasterizationState = &fixed.raster;
  info.pMultisampleState = &fixed.samples;
  info.pColorBlendState = &fixed.blend;
  info.pDynamicState = &fixed.dynamic;
  info.layout = layout;
  VkPipeline handle = VK_NULL_HANDLE;
  const VkResult result =
      device.vk().vkCreateGraphicsPipelines(device.device(), VK_NULL_HANDLE, 1, &info, nullptr, &handle);
  if (auto made = check(result, "make a pipeline"); !made) return fail(std::move(made));
  return Owned<VkPipeline>(device, handle, &VolkDeviceTable::vkDestroyPipeline);
}

}  // namespace throng::studio
