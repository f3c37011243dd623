// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipelines.h"

#include <array>
#include <bit>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/try.h"

namespace throng {
namespace {

// What a pipeline's key is made of.
class KeyWriter {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (key_.push_back(static_cast<std::uint64_t>(values)), ...);
  }
  template <class Handle>
  void add_handle(Handle handle) {
    key_.push_back(reinterpret_cast<std::uint64_t>(handle));
  }
  void add_code(std::span<const std::uint32_t> code) { add(code.size(), hash64(std::as_bytes(code))); }
  void add_constants(std::span<const std::uint32_t> constants) {
    add(constants.size());
    key_.insert(key_.end(), constants.begin(), constants.end());
  }
  PipelineStore::Key take() { return std::move(key_); }

 private:
  PipelineStore::Key key_;
};

// Graphics and compute pipelines are kept together.
enum class Kind : std::uint8_t { graphics, compute };

PipelineStore::Key key_of(const GraphicsPipelineInfo& info) {
  KeyWriter key;
  key.add(Kind::graphics);
  key.add_handle(info.layout);
  key.add_code(info.vertex_code);
  key.add_code(info.fragment_code);
  key.add_constants(info.constants);
  key.add_constants(info.fragment_constants);
  key.add(info.topology, info.cull, info.colour, info.motion, info.depth, info.samples, info.depth_compare,
          info.depth_write, info.alpha_to_coverage, info.blend, info.alpha_only,
          std::bit_cast<std::uint32_t>(info.depth_bias_slope));
  return key.take();
}

// Specialisation constants 0, 1, … as Vulkan wants them described.
struct Specialisation {
  explicit Specialisation(std::span<const std::uint32_t> constants) {
    for (std::uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, i * 4, 4});
    info = {static_cast<std::uint32_t>(entries.size()), entries.data(), constants.size_bytes(), constants.data()};
  }
  std::vector<VkSpecializationMapEntry> entries;
  VkSpecializationInfo info{};
};

Result<VkOwned<VkShaderModule>> create_module(const GpuDevice& gpu, std::span<const std::uint32_t> code) {
  VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = code.size_bytes();
  info.pCode = code.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateShaderModule(gpu.device(), &info, nullptr, &shader), "create a shader"));
  return VkOwned<VkShaderModule>(
      gpu, shader, [](const GpuDevice& g, VkShaderModule m) { g.vk().vkDestroyShaderModule(g.device(), m, nullptr); });
}

VkPipelineShaderStageCreateInfo stage_info(VkShaderStageFlagBits stage, VkShaderModule shader,
                                           const VkSpecializationInfo* constants) {
  VkPipelineShaderStageCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = stage;
  info.module = shader;
  info.pName = "main";
  info.pSpecializationInfo = constants;
  return info;
}

VkPipelineColorBlendAttachmentState attachment_state(bool blend) {
  VkPipelineColorBlendAttachmentState state{};
  state.blendEnable = blend ? VK_TRUE : VK_FALSE;
  state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  return state;
}

// The fixed-function state of a pipeline; the create info points into it.
struct FixedState {
  explicit FixedState(const GraphicsPipelineInfo& from);
  FixedState(const FixedState&) = delete;
  FixedState& operator=(const FixedState&) = delete;
  void add_to(VkGraphicsPipelineCreateInfo& info) const;

  VkPipelineVertexInputStateCreateInfo input{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineViewportStateCreateInfo viewport{.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster{.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo multisample{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkPipelineDepthStencilStateCreateInfo depth{.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  std::array<VkPipelineColorBlendAttachmentState, 2> attachments{};
  VkPipelineColorBlendStateCreateInfo blend{.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  std::array<VkDynamicState, 2> dynamic_states{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  VkPipelineRenderingCreateInfo rendering{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  std::array<VkFormat, 2> colour_formats{};
};

FixedState::FixedState(const GraphicsPipelineInfo& from) : colour_formats{from.colour, from.motion} {
  const std::uint32_t colours = from.colour == VK_FORMAT_UNDEFINED ? 0u : from.motion == VK_FORMAT_UNDEFINED ? 1u : 2u;
  assembly.topology = from.topology;
  viewport.viewportCount = 1;
  viewport.scissorCount = 1;
  raster.polygonMode = VK_POLYGON_MODE_FILL;
  raster.cullMode = from.cull;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  raster.depthBiasEnable = from.depth_bias_slope != 0.0f ? VK_TRUE : VK_FALSE;
  raster.depthBiasSlopeFactor = from.depth_bias_slope;
  raster.lineWidth = 1.0f;
  multisample.rasterizationSamples = from.samples;
  multisample.alphaToCoverageEnable = from.alpha_to_coverage ? VK_TRUE : VK_FALSE;
  depth.depthTestEnable = VK_TRUE;
  depth.depthWriteEnable = from.depth_write ? VK_TRUE : VK_FALSE;
  depth.depthCompareOp = from.depth_compare;
  attachments.fill(attachment_state(from.blend));
  if (from.alpha_only) attachments[0].colorWriteMask = VK_COLOR_COMPONENT_A_BIT;
  blend.attachmentCount = colours;
  blend.pAttachments = attachments.data();
  dynamic.dynamicStateCount = static_cast<std::uint32_t>(dynamic_states.size());
  dynamic.pDynamicStates = dynamic_states.data();
  rendering.colorAttachmentCount = colours;
  rendering.pColorAttachmentFormats = colour_formats.data();
  rendering.depthAttachmentFormat = from.depth;
}

void FixedState::add_to(VkGraphicsPipelineCreateInfo& info) const {
  info.pNext = &rendering;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
}

Result<VkPipeline> create(const GpuDevice& gpu, const GraphicsPipelineInfo& from) {
  THRONG_TRY(auto vertex, create_module(gpu, from.vertex_code));
  const Specialisation constants(from.constants);
  std::vector stages{stage_info(VK_SHADER_STAGE_VERTEX_BIT, vertex.get(), &constants.info)};
  const Specialisation fragment_constants(from.fragment_constants);
  VkOwned<VkShaderModule> fragment;
  if (!from.fragment_code.empty()) {
    THRONG_TRY(fragment, create_module(gpu, from.fragment_code));
    stages.push_back(stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, fragment.get(), &fragment_constants.info));
  }
  const FixedState fixed(from);
  VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  fixed.add_to(info);
  info.stageCount = static_cast<std::uint32_t>(stages.size());
  info.pStages = stages.data();
  info.layout = from.layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreateGraphicsPipelines(gpu.device(), gpu.pipeline_cache().get(), 1, &info, nullptr, &pipeline),
            "create a graphics pipeline"));
  return pipeline;
}

Result<VkPipeline> create(const GpuDevice& gpu, VkPipelineLayout layout, std::span<const std::uint32_t> code,
                          std::span<const std::uint32_t> constants) {
  THRONG_TRY(auto shader, create_module(gpu, code));
  const Specialisation specialisation(constants);
  VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stage_info(VK_SHADER_STAGE_COMPUTE_BIT, shader.get(), &specialisation.info);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreateComputePipelines(gpu.device(), gpu.pipeline_cache().get(), 1, &info, nullptr, &pipeline),
            "create a compute pipeline"));
  return pipeline;
}

Result<VkPipelineLayout> create(const GpuDevice& gpu, std::span<const VkDescriptorSetLayout> sets,
                                const VkPushConstantRange& range) {
  VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = range.size == 0 ? 0u : 1u;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreatePipelineLayout(gpu.device(), &info, nullptr, &layout), "create a pipeline layout"));
  return layout;
}

}  // namespace

Result<VkPipelineLayout> pipeline_layout(const GpuDevice& gpu, std::span<const VkDescriptorSetLayout> sets,
                                         VkShaderStageFlags push_stages, std::uint32_t push_size) {
  KeyWriter key;
  key.add(push_stages, push_size);
  for (const VkDescriptorSetLayout set : sets) key.add_handle(set);
  return gpu.pipelines().layout(key.take(), [&] { return create(gpu, sets, {push_stages, 0, push_size}); });
}

Result<VkPipeline> graphics_pipeline(const GpuDevice& gpu, const GraphicsPipelineInfo& info) {
  return gpu.pipelines().pipeline(key_of(info), [&] { return create(gpu, info); });
}

Result<VkPipeline> compute_pipeline(const GpuDevice& gpu, VkPipelineLayout layout, std::span<const std::uint32_t> code,
                                    std::span<const std::uint32_t> constants) {
  KeyWriter key;
  key.add(Kind::compute);
  key.add_handle(layout);
  key.add_code(code);
  key.add_constants(constants);
  return gpu.pipelines().pipeline(key.take(), [&] { return create(gpu, layout, code, constants); });
}

}  // namespace throng
