// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pipelines for dynamic rendering, described by what differs between ours. All come from the GpuDevice's store, which
// keeps them.

#include <span>

#include "throng/gpu/gpu_device.h"

namespace throng {

// The set layouts are those that the store gave.
Result<VkPipelineLayout> pipeline_layout(const GpuDevice& gpu, std::span<const VkDescriptorSetLayout> sets,
                                         VkShaderStageFlags push_stages, std::uint32_t push_size);

// What a pipeline that draws is made from; viewport and scissor are set while recording.
struct GraphicsPipelineInfo {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::span<const std::uint32_t> vertex_code;
  std::span<const std::uint32_t> fragment_code;       // empty: depth only
  std::span<const std::uint32_t> constants;           // specialisation constants 0, 1, … of the vertex shader
  std::span<const std::uint32_t> fragment_constants;  // the same of the fragment shader
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkCullModeFlags cull = VK_CULL_MODE_NONE;  // counter-clockwise is front
  VkFormat colour = VK_FORMAT_UNDEFINED;     // undefined: no colour attachment
  VkFormat motion = VK_FORMAT_UNDEFINED;     // of a second one
  VkFormat depth = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkCompareOp depth_compare = VK_COMPARE_OP_LESS;
  bool depth_write = true;
  bool alpha_to_coverage = false;
  bool blend = false;       // over what is there, by the fragment's own opacity
  bool alpha_only = false;  // colours stay as they are
  float depth_bias_slope = 0.0f;
};

// Viewport and scissor are dynamic. Shaders read vertices themselves: there is no vertex input.
Result<VkPipeline> graphics_pipeline(const GpuDevice& gpu, const GraphicsPipelineInfo& info);

// The compute pipeline of this code, layout and specialisation constants, from the device's store.
Result<VkPipeline> compute_pipeline(const GpuDevice& gpu, VkPipelineLayout layout, std::span<const std::uint32_t> code,
                                    std::span<const std::uint32_t> constants);

}  // namespace throng
