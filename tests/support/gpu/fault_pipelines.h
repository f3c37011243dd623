// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pipelines for tests that make many renderers, without compiling each: layers and software drivers take longest over
// them. Pretended ones are handles that mean nothing, to be created and destroyed but never drawn with; shared ones are
// compiled once, and whoever asks for the same again gets the same.

#include <volk.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace throng::test {

enum class PipelineKind : std::uint8_t { own, pretended, shared };

class StandInPipelines {
 public:
  PipelineKind kind = PipelineKind::own;

  // What to do instead of a call; nothing: let it through. `compile` is the real function, its arguments bound.
  template <class... Args>
  std::optional<VkResult> create(const Args&...) {
    return std::nullopt;
  }
  std::optional<VkResult> create(VkDevice device, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                                 VkShaderModule* module);
  template <class Info>
  std::optional<VkResult> create(VkDevice device, VkPipelineCache, std::uint32_t, const Info* info,
                                 const VkAllocationCallbacks*, VkPipeline* pipeline) {
    return create_pipeline(device, key_of(*info), pipeline);
  }

  // What was let through, to be handed out again.
  template <class... Args>
  void created(const Args&...) {}
  void created(VkDevice, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*, VkShaderModule* module);
  template <class Info>
  void created(VkDevice device, VkPipelineCache, std::uint32_t, const Info* info, const VkAllocationCallbacks*,
               VkPipeline* pipeline) {
    remember(device, key_of(*info), *pipeline);
  }

  // Whether it was one of ours, and so is not to be destroyed.
  bool destroyed(VkPipeline pipeline);
  bool destroyed(VkShaderModule module);

  // Handed out and not destroyed yet.
  std::size_t live() const { return live_; }
  void destroy_shared(PFN_vkDestroyPipeline destroy);

 private:
  std::uint64_t key_of(const VkPipelineShaderStageCreateInfo& stage) const;
  std::uint64_t key_of(const VkGraphicsPipelineCreateInfo& info) const;
  std::uint64_t key_of(const VkComputePipelineCreateInfo& info) const;
  std::optional<VkResult> create_pipeline(VkDevice device, std::uint64_t key, VkPipeline* pipeline);
  void remember(VkDevice device, std::uint64_t key, VkPipeline pipeline);
  std::uint64_t next_handle();

  std::map<VkShaderModule, std::uint64_t> code_;  // hash of each
  std::map<std::uint64_t, VkPipeline> shared_;
  std::set<VkPipeline> known_;  // all of shared_
  std::set<std::uint64_t> pretended_;
  std::uint64_t last_ = 0;
  std::size_t live_ = 0;
  VkDevice device_ = VK_NULL_HANDLE;
};

}  // namespace throng::test
