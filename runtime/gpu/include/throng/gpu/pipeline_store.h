// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device's pipelines, and the layouts they are made for. Each is made once, whichever renderer or model asks for it
// first, and stays until the store goes: compiling one takes a driver longer than copying a character to it.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "throng/gpu/device.h"

struct VolkDeviceTable;  // volk.h, which programs that use the library need not have

namespace throng {

class PipelineStore {
 public:
  // For a VulkanContext whose device is the caller's (a Device has one of its own). It must go after everything that
  // was made from that context, and before the device.
  static Result<std::unique_ptr<PipelineStore>> create(const VulkanContext& context);

  PipelineStore(const VolkDeviceTable& vk, VkDevice device);  // `vk` and `device` must outlive it
  PipelineStore(const PipelineStore&) = delete;
  PipelineStore& operator=(const PipelineStore&) = delete;
  ~PipelineStore();

  // All that decides what is made.
  using Key = std::vector<std::uint64_t>;

  // What was made for this key, or what `make` makes now. From any thread: one is made at a time, and whoever asks for
  // another waits. `make` must not ask the store itself.
  Result<VkDescriptorSetLayout> set_layout(const Key& key, const std::function<Result<VkDescriptorSetLayout>()>& make);
  // The layout of that key, made by `make` when it is asked for first.
  Result<VkPipelineLayout> layout(const Key& key, const std::function<Result<VkPipelineLayout>()>& make);
  // The pipeline of that key, made by `make` when it is asked for first.
  Result<VkPipeline> pipeline(const Key& key, const std::function<Result<VkPipeline>()>& make);

  // How many pipelines were compiled so far.
  std::size_t pipelines() const;
  VkDevice device() const { return device_; }  // the device whose pipelines these are

 private:
  template <class Handle>
  using Made = std::map<Key, Handle>;
  template <class Handle>
  Result<Handle> find_or_make(Made<Handle>& made, const Key& key, const std::function<Result<Handle>()>& make);

  PFN_vkDestroyDescriptorSetLayout destroy_set_layout_;
  PFN_vkDestroyPipelineLayout destroy_layout_;
  PFN_vkDestroyPipeline destroy_pipeline_;
  VkDevice device_;
  mutable std::mutex mutex_;
  Made<VkDescriptorSetLayout> set_layouts_;
  Made<VkPipelineLayout> layouts_;
  Made<VkPipeline> pipelines_;
};

}  // namespace throng
