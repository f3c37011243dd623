// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/gpu_device.h"

#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/device_needs.h"

namespace throng {
namespace {

VkPhysicalDeviceProperties properties_of(const InstanceFunctions& instance, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance.properties(device, &properties);
  return properties.properties;
}

std::uint32_t shuffled_threads_of(const InstanceFunctions& instance, VkPhysicalDevice device) {
  VkPhysicalDeviceSubgroupProperties subgroups{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroups};
  instance.properties(device, &properties);
  const bool shuffles = (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
                        (subgroups.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0;
  return shuffles ? subgroups.subgroupSize : 0;
}

VkPhysicalDeviceMemoryProperties memory_of(const InstanceFunctions& instance, VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties properties{};
  instance.memory_properties(device, &properties);
  return properties;
}

// All that can be seen from outside: which features the device was created with cannot.
Result<void> check_context(const VulkanContext& context, const InstanceFunctions& instance) {
  if (instance.features == nullptr || instance.properties == nullptr || instance.format_properties == nullptr)
    return fail("the instance is older than Vulkan 1.1; create it with apiVersion 1.3");
  const std::string name = properties_of(instance, context.physical_device).deviceName;
  if (const std::string missing = what_is_missing(instance, context.physical_device); !missing.empty())
    return fail("{}: {}", name, missing);
  if (!can_use_queue_family(instance, context.physical_device, context.queue_family))
    return fail("{}: queue family {} does not do graphics and compute; take a queue of family {}", name,
                context.queue_family, *find_queue_family(instance, context.physical_device));
  return {};
}

}  // namespace

GpuDevice::GpuDevice(const VulkanContext& context, PFN_vkGetInstanceProcAddr get)
    : context_(context),
      instance_(get, context.instance),
      table_(load_device_functions(get, context.instance, context.device)),
      properties_(properties_of(instance_, context.physical_device)),
      shuffled_threads_(shuffled_threads_of(instance_, context.physical_device)),
      memory_(table_, context.device, memory_of(instance_, context.physical_device)),
      pipeline_cache_(table_, context.device, properties_, context.pipeline_cache),
      own_pipelines_(context.pipelines == nullptr ? std::make_unique<PipelineStore>(table_, context.device) : nullptr),
      pipelines_(own_pipelines_ ? own_pipelines_.get() : context.pipelines) {}

Result<std::shared_ptr<GpuDevice>> GpuDevice::create(const VulkanContext& context) {
  if (context.instance == VK_NULL_HANDLE || context.physical_device == VK_NULL_HANDLE ||
      context.device == VK_NULL_HANDLE || context.queue == VK_NULL_HANDLE)
    return fail("Vulkan context: instance, physical device, device and queue must all be set");
  if (context.pipelines != nullptr && context.pipelines->device() != context.device)
    return fail("Vulkan context: its store of pipelines is another device's; make one for this device");
  PFN_vkGetInstanceProcAddr get = context.get_instance_proc_addr;
  if (get == nullptr) {
    THRONG_TRY(auto loader, system_loader());
    get = loader;
  }
  if (auto checked = check_context(context, InstanceFunctions(get, context.instance)); !checked)
    return fail(with_context("Vulkan context", std::move(checked).error()));
  return std::make_shared<GpuDevice>(context, get);
}

VkFormatFeatureFlags2 GpuDevice::format_features(VkFormat format) const {
  return features_of(instance_, context_.physical_device, format);
}

Result<void> GpuDevice::run(const std::function<void(VkCommandBuffer)>& record) {
  THRONG_TRY(CommandRecorder commands, CommandRecorder::create(*this));
  THRONG_CHECK(commands.begin());
  record(commands.buffer());
  return commands.submit_and_wait();
}

}  // namespace throng
