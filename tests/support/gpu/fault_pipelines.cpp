// SPDX-License-Identifier: Apache-2.0
#include "fault_pipelines.h"

#include <span>

#include "throng/base/bytes.h"

namespace throng::test {
namespace {

template <class T>
void add(Hasher64& hasher, const T& value) {
  hasher.add(std::as_bytes(std::span(&value, 1)));
}

}  // namespace

// Far from what a driver would give.
std::uint64_t StandInPipelines::next_handle() {
  const std::uint64_t handle = 0xFA15'E000'0000'0000 + ++last_;
  pretended_.insert(handle);
  ++live_;
  return handle;
}

std::optional<VkResult> StandInPipelines::create(VkDevice, const VkShaderModuleCreateInfo*,
                                                 const VkAllocationCallbacks*, VkShaderModule* module) {
  if (kind != PipelineKind::pretended) return std::nullopt;
  *module = reinterpret_cast<VkShaderModule>(next_handle());
  return VK_SUCCESS;
}

void StandInPipelines::created(VkDevice, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                               VkShaderModule* module) {
  code_[*module] = hash64(std::as_bytes(std::span(info->pCode, info->codeSize / sizeof(std::uint32_t))));
}

std::optional<VkResult> StandInPipelines::create_pipeline(VkDevice, std::uint64_t key, VkPipeline* pipeline) {
  if (kind == PipelineKind::own) return std::nullopt;
  if (kind == PipelineKind::pretended) {
    *pipeline = reinterpret_cast<VkPipeline>(next_handle());
    return VK_SUCCESS;
  }
  const auto same = shared_.find(key);
  if (same == shared_.end()) return std::nullopt;
  *pipeline = same->second;
  ++live_;
  return VK_SUCCESS;
}

void StandInPipelines::remember(VkDevice device, std::uint64_t key, VkPipeline pipeline) {
  if (kind != PipelineKind::shared) return;
  device_ = device;
  shared_[key] = pipeline;
  known_.insert(pipeline);
  ++live_;
}

bool StandInPipelines::destroyed(VkPipeline pipeline) {
  const bool ours = known_.contains(pipeline) || pretended_.erase(reinterpret_cast<std::uint64_t>(pipeline)) > 0;
  if (ours) --live_;
  return ours;
}

bool StandInPipelines::destroyed(VkShaderModule module) {
  const bool ours = pretended_.erase(reinterpret_cast<std::uint64_t>(module)) > 0;
  if (ours) --live_;
  code_.erase(module);
  return ours;
}

void StandInPipelines::destroy_shared(PFN_vkDestroyPipeline destroy) {
  for (const VkPipeline pipeline : known_) destroy(device_, pipeline, nullptr);
  known_.clear();
  shared_.clear();
}

std::uint64_t StandInPipelines::key_of(const VkPipelineShaderStageCreateInfo& stage) const {
  Hasher64 hasher;
  const auto code = code_.find(stage.module);
  add(hasher, code != code_.end() ? code->second : 0);
  if (const VkSpecializationInfo* constants = stage.pSpecializationInfo;
      constants != nullptr && constants->dataSize > 0)
    hasher.add(std::span(static_cast<const std::byte*>(constants->pData), constants->dataSize));
  return hasher.value();
}

std::uint64_t StandInPipelines::key_of(const VkComputePipelineCreateInfo& info) const { return key_of(info.stage); }

// What differs between ours besides shaders. Layouts that look alike are compatible, so they count for nothing.
std::uint64_t StandInPipelines::key_of(const VkGraphicsPipelineCreateInfo& info) const {
  Hasher64 hasher;
  for (std::uint32_t i = 0; i < info.stageCount; ++i) add(hasher, key_of(info.pStages[i]));
  const auto& rendering = *static_cast<const VkPipelineRenderingCreateInfo*>(info.pNext);
  for (std::uint32_t i = 0; i < rendering.colorAttachmentCount; ++i) add(hasher, rendering.pColorAttachmentFormats[i]);
  add(hasher, rendering.depthAttachmentFormat);
  add(hasher, info.pInputAssemblyState->topology);
  add(hasher, info.pRasterizationState->cullMode);
  add(hasher, info.pRasterizationState->depthBiasSlopeFactor);
  add(hasher, info.pMultisampleState->rasterizationSamples);
  add(hasher, info.pMultisampleState->alphaToCoverageEnable);
  add(hasher, info.pDepthStencilState->depthCompareOp);
  add(hasher, info.pDepthStencilState->depthWriteEnable);
  return hasher.value();
}

}  // namespace throng::test
