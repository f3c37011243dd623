// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device as the classes of this module see it: its functions, limits, memory and pipelines. Made from the caller's
// handles, shared by the objects of one renderer.

#include <functional>
#include <memory>

#include "throng/gpu/device.h"
#include "throng/gpu/device_memory.h"
#include "throng/gpu/functions.h"
#include "throng/gpu/pipeline_cache.h"
#include "throng/gpu/pipeline_store.h"

namespace throng {

class GpuDevice {
 public:
  // Refused in words: missing handles, and a device or queue that cannot do what VulkanContext says it must.
  static Result<std::shared_ptr<GpuDevice>> create(const VulkanContext& context);
  // Looks at the device and fetches its functions through `get`.
  GpuDevice(const VulkanContext& context, PFN_vkGetInstanceProcAddr get);

  const VolkDeviceTable& vk() const { return table_; }                         // the device's functions
  VkDevice device() const { return context_.device; }                          // the caller's handle
  const VulkanContext& context() const { return context_; }                    // what it was made from
  const VkPhysicalDeviceLimits& limits() const { return properties_.limits; }  // what the device can do, in numbers
  bool is_software() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }  // a driver without a GPU
  // The threads of a subgroup of compute shaders that may read each other's numbers (shuffle); 0: none may.
  std::uint32_t shuffled_threads() const { return shuffled_threads_; }
  VkFormatFeatureFlags2 format_features(VkFormat format) const;  // what can be done with images of a format
  DeviceMemory& memory() { return memory_; }                     // where buffers and images of this device lie
  // Kept in VulkanContext::pipeline_cache when this goes away, or by save().
  const PipelineCache& pipeline_cache() const { return pipeline_cache_; }
  // The context's, or one of its own.
  PipelineStore& pipelines() const { return *pipelines_; }

  // Records commands, submits them and waits for the queue to have done them and all before them.
  Result<void> run(const std::function<void(VkCommandBuffer)>& record);

 private:
  VulkanContext context_;
  InstanceFunctions instance_;
  VolkDeviceTable table_;
  VkPhysicalDeviceProperties properties_;
  std::uint32_t shuffled_threads_;
  DeviceMemory memory_;
  PipelineCache pipeline_cache_;
  std::unique_ptr<PipelineStore> own_pipelines_;  // none: the context has a store
  PipelineStore* pipelines_;
};

// A Vulkan object that is destroyed with its owner. The GpuDevice must outlive it.
template <class Handle>
class VkOwned {
 public:
  using Destroy = void (*)(const GpuDevice&, Handle);  // how a handle is destroyed

  VkOwned() = default;
  // Takes the handle over; `gpu` must outlive it.
  VkOwned(const GpuDevice& gpu, Handle handle, Destroy destroy) : gpu_(&gpu), handle_(handle), destroy_(destroy) {}
  VkOwned(VkOwned&& other) noexcept { *this = std::move(other); }
  VkOwned& operator=(VkOwned&& other) noexcept {
    if (this != &other) {
      reset();
      gpu_ = other.gpu_;
      handle_ = std::exchange(other.handle_, Handle{VK_NULL_HANDLE});
      destroy_ = other.destroy_;
    }
    return *this;
  }
  ~VkOwned() { reset(); }

  Handle get() const { return handle_; }  // the handle; it stays owned

 private:
  void reset() {
    if (handle_ != VK_NULL_HANDLE) destroy_(*gpu_, handle_);
    handle_ = VK_NULL_HANDLE;
  }

  const GpuDevice* gpu_ = nullptr;
  Handle handle_ = VK_NULL_HANDLE;
  Destroy destroy_ = nullptr;
};

}  // namespace throng
