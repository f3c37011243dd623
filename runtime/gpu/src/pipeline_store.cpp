// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/pipeline_store.h"

#include "throng/base/try.h"
#include "throng/gpu/functions.h"

namespace throng {

Result<std::unique_ptr<PipelineStore>> PipelineStore::create(const VulkanContext& context) {
  if (context.instance == VK_NULL_HANDLE || context.device == VK_NULL_HANDLE)
    return fail("Vulkan context: a store of pipelines needs its instance and device");
  PFN_vkGetInstanceProcAddr get = context.get_instance_proc_addr;
  if (get == nullptr) {
    THRONG_TRY(get, system_loader());
  }
  return std::make_unique<PipelineStore>(load_device_functions(get, context.instance, context.device), context.device);
}

PipelineStore::PipelineStore(const VolkDeviceTable& vk, VkDevice device)
    : destroy_set_layout_(vk.vkDestroyDescriptorSetLayout),
      destroy_layout_(vk.vkDestroyPipelineLayout),
      destroy_pipeline_(vk.vkDestroyPipeline),
      device_(device) {}

PipelineStore::~PipelineStore() {
  for (const auto& [key, pipeline] : pipelines_) destroy_pipeline_(device_, pipeline, nullptr);
  for (const auto& [key, layout] : layouts_) destroy_layout_(device_, layout, nullptr);
  for (const auto& [key, layout] : set_layouts_) destroy_set_layout_(device_, layout, nullptr);
}

template <class Handle>
Result<Handle> PipelineStore::find_or_make(Made<Handle>& made, const Key& key,
                                           const std::function<Result<Handle>()>& make) {
  const std::scoped_lock lock(mutex_);
  const auto place = made.lower_bound(key);
  if (place != made.end() && place->first == key) return place->second;
  THRONG_TRY(const Handle handle, make());
  made.emplace_hint(place, key, handle);
  return handle;
}

Result<VkDescriptorSetLayout> PipelineStore::set_layout(const Key& key,
                                                        const std::function<Result<VkDescriptorSetLayout>()>& make) {
  return find_or_make(set_layouts_, key, make);
}

Result<VkPipelineLayout> PipelineStore::layout(const Key& key, const std::function<Result<VkPipelineLayout>()>& make) {
  return find_or_make(layouts_, key, make);
}

Result<VkPipeline> PipelineStore::pipeline(const Key& key, const std::function<Result<VkPipeline>()>& make) {
  return find_or_make(pipelines_, key, make);
}

std::size_t PipelineStore::pipelines() const {
  const std::scoped_lock lock(mutex_);
  return pipelines_.size();
}

}  // namespace throng
