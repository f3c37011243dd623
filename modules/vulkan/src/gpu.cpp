#include "gpu.h"

#include "commands.h"

namespace throng {
namespace {

VkPhysicalDeviceLimits limits_of(const InstanceFunctions& instance, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance.properties(device, &properties);
  return properties.properties.limits;
}

VkPhysicalDeviceMemoryProperties memory_of(const InstanceFunctions& instance, VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties properties{};
  instance.memory_properties(device, &properties);
  return properties;
}

}  // namespace

Gpu::Gpu(const VulkanContext& context, PFN_vkGetInstanceProcAddr get)
    : context_(context),
      instance_(get, context.instance),
      table_(load_device_functions(get, context.instance, context.device)),
      limits_(limits_of(instance_, context.physical_device)),
      memory_(table_, context.device, memory_of(instance_, context.physical_device)) {}

Result<std::shared_ptr<Gpu>> Gpu::create(const VulkanContext& context) {
  if (context.instance == VK_NULL_HANDLE || context.physical_device == VK_NULL_HANDLE ||
      context.device == VK_NULL_HANDLE || context.queue == VK_NULL_HANDLE)
    return fail("Vulkan context: instance, physical device, device and queue must all be set");
  PFN_vkGetInstanceProcAddr get = context.get_instance_proc_addr;
  if (get == nullptr) {
    auto loader = system_loader();
    if (!loader) return fail(std::move(loader));
    get = *loader;
  }
  auto gpu = std::make_shared<Gpu>(context, get);
  if (gpu->vk().vkCmdBeginRendering == nullptr || gpu->vk().vkCmdPipelineBarrier2 == nullptr)
    return fail(
        "Vulkan context: the device has no Vulkan 1.3 functions; create it for 1.3 with dynamicRendering and "
        "synchronization2");
  return gpu;
}

VkFormatFeatureFlags2 Gpu::format_features(VkFormat format) const {
  return features_of(instance_, context_.physical_device, format);
}

Result<void> Gpu::run(const std::function<void(VkCommandBuffer)>& record) {
  auto commands = CommandRecorder::create(*this);
  if (!commands) return fail(std::move(commands));
  if (auto begun = commands->begin(); !begun) return begun;
  record(commands->buffer());
  return commands->submit_and_wait();
}

}  // namespace throng
