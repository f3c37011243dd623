// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/functions.h"

#include <mutex>

#include "volk_code.h"

namespace throng {
using namespace detail::device;
namespace {

template <class Function>
Function find(PFN_vkGetInstanceProcAddr get, VkInstance instance, const char* name) {
  return reinterpret_cast<Function>(get(instance, name));
}

}  // namespace

Result<PFN_vkGetInstanceProcAddr> system_loader() {
  static const PFN_vkGetInstanceProcAddr entry = find_loader();
  if (entry == nullptr)
    return fail("Vulkan: no loader (libvulkan.so.1) on this machine; install libvulkan1 and a driver");
  return entry;
}

LoaderFunctions::LoaderFunctions(PFN_vkGetInstanceProcAddr get)
    : enumerate_version(find<PFN_vkEnumerateInstanceVersion>(get, nullptr, "vkEnumerateInstanceVersion")),
      enumerate_layers(
          find<PFN_vkEnumerateInstanceLayerProperties>(get, nullptr, "vkEnumerateInstanceLayerProperties")),
      enumerate_extensions(
          find<PFN_vkEnumerateInstanceExtensionProperties>(get, nullptr, "vkEnumerateInstanceExtensionProperties")),
      create_instance(find<PFN_vkCreateInstance>(get, nullptr, "vkCreateInstance")) {}

InstanceFunctions::InstanceFunctions(PFN_vkGetInstanceProcAddr get, VkInstance instance)
    : destroy_instance(find<PFN_vkDestroyInstance>(get, instance, "vkDestroyInstance")),
      enumerate_devices(find<PFN_vkEnumeratePhysicalDevices>(get, instance, "vkEnumeratePhysicalDevices")),
      properties(find<PFN_vkGetPhysicalDeviceProperties2>(get, instance, "vkGetPhysicalDeviceProperties2")),
      features(find<PFN_vkGetPhysicalDeviceFeatures2>(get, instance, "vkGetPhysicalDeviceFeatures2")),
      queue_families(find<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(get, instance,
                                                                        "vkGetPhysicalDeviceQueueFamilyProperties")),
      memory_properties(
          find<PFN_vkGetPhysicalDeviceMemoryProperties>(get, instance, "vkGetPhysicalDeviceMemoryProperties")),
      format_properties(
          find<PFN_vkGetPhysicalDeviceFormatProperties2>(get, instance, "vkGetPhysicalDeviceFormatProperties2")),
      device_extensions(
          find<PFN_vkEnumerateDeviceExtensionProperties>(get, instance, "vkEnumerateDeviceExtensionProperties")),
      create_device(find<PFN_vkCreateDevice>(get, instance, "vkCreateDevice")),
      create_messenger(find<PFN_vkCreateDebugUtilsMessengerEXT>(get, instance, "vkCreateDebugUtilsMessengerEXT")),
      destroy_messenger(find<PFN_vkDestroyDebugUtilsMessengerEXT>(get, instance, "vkDestroyDebugUtilsMessengerEXT")),
      surface_support(
          find<PFN_vkGetPhysicalDeviceSurfaceSupportKHR>(get, instance, "vkGetPhysicalDeviceSurfaceSupportKHR")),
      surface_capabilities(find<PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR>(
          get, instance, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR")),
      surface_formats(
          find<PFN_vkGetPhysicalDeviceSurfaceFormatsKHR>(get, instance, "vkGetPhysicalDeviceSurfaceFormatsKHR")),
      destroy_surface(find<PFN_vkDestroySurfaceKHR>(get, instance, "vkDestroySurfaceKHR")) {}

VkFormatFeatureFlags2 features_of(const InstanceFunctions& functions, VkPhysicalDevice device, VkFormat format) {
  VkFormatProperties3 all{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
  VkFormatProperties2 properties{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &all};
  functions.format_properties(device, format, &properties);
  return all.optimalTilingFeatures;
}

VolkDeviceTable load_device_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkDevice device) {
  // volk fills a table through its one global pointer, so only one thread may do it at a time.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  VolkDeviceTable table{};
  fill_device_table(find<PFN_vkGetDeviceProcAddr>(get, instance, "vkGetDeviceProcAddr"), device, &table);
  return table;
}

const char* in_words(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialisation failed";
    case VK_ERROR_DEVICE_LOST:
      return "the device was lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "mapping memory failed";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "a layer is not installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "an extension is not supported";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "a feature is not supported";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no compatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
      return "the format is not supported";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "out of pool memory";
    case VK_ERROR_SURFACE_LOST_KHR:
      return "the window was lost";
    case VK_TIMEOUT:
      return "timed out";
    default:
      return "unknown error";
  }
}

const char* way_out(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "draw fewer characters, smaller shadow maps or a smaller vertex budget";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "free memory of this program, or draw fewer characters";
    case VK_ERROR_DEVICE_LOST:
      return "destroy every object made from it and create a new Device";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "destroy renderers that are not drawn any more";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "install it, or do not ask for validation";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "update the driver or take another device";
    default:
      return "run again with validation to learn why";
  }
}

Error error_of(VkResult result, std::string_view what) {
  return Error{fmt::format("Vulkan: cannot {}: {} (VkResult {}); {}", what, in_words(result), static_cast<int>(result),
                           way_out(result))};
}

}  // namespace throng
