// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vulkan's functions, fetched for one instance and one device: several devices live side by side and nothing global is
// called.

#include <volk.h>

#include <string_view>

#include "throng/base/result.h"
#include "throng/gpu/device.h"

namespace throng {

// The loader's entry, loaded on first use. The error says what to install.
Result<PFN_vkGetInstanceProcAddr> system_loader();

// What is called before there is an instance.
struct LoaderFunctions {
  explicit LoaderFunctions(PFN_vkGetInstanceProcAddr get);  // fetches them through the loader's entry

  PFN_vkEnumerateInstanceVersion enumerate_version;  // none on Vulkan 1.0
  PFN_vkEnumerateInstanceLayerProperties enumerate_layers;
  PFN_vkEnumerateInstanceExtensionProperties enumerate_extensions;
  PFN_vkCreateInstance create_instance;
};

// What is called on an instance and its physical devices.
struct InstanceFunctions {
  InstanceFunctions(PFN_vkGetInstanceProcAddr get, VkInstance instance);  // fetches them for one instance

  PFN_vkDestroyInstance destroy_instance;
  PFN_vkEnumeratePhysicalDevices enumerate_devices;
  PFN_vkGetPhysicalDeviceProperties2 properties;
  PFN_vkGetPhysicalDeviceFeatures2 features;
  PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families;
  PFN_vkGetPhysicalDeviceMemoryProperties memory_properties;
  PFN_vkGetPhysicalDeviceFormatProperties2 format_properties;
  PFN_vkEnumerateDeviceExtensionProperties device_extensions;
  PFN_vkCreateDevice create_device;
  PFN_vkCreateDebugUtilsMessengerEXT create_messenger;    // none without the extension
  PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger;  // none without the extension
  // None of these without VK_KHR_surface.
  PFN_vkGetPhysicalDeviceSurfaceSupportKHR surface_support;
  PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR surface_capabilities;
  PFN_vkGetPhysicalDeviceSurfaceFormatsKHR surface_formats;
  PFN_vkDestroySurfaceKHR destroy_surface;
};

// What a device of Vulkan 1.3 can do with images of a format in its own tiling.
VkFormatFeatureFlags2 features_of(const InstanceFunctions& functions, VkPhysicalDevice device, VkFormat format);

// Every function of a device, fetched for it alone.
VolkDeviceTable load_device_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkDevice device);

// "out of device memory", …
const char* in_words(VkResult result);

// "draw fewer characters, …": what a caller can do about it.
const char* way_out(VkResult result);

// "Vulkan: cannot allocate memory: out of device memory (VkResult -2); draw fewer characters, …"
Error error_of(VkResult result, std::string_view what);

// What could not be done, when `result` is an error. Nothing is formatted when it is none.
template <class... Args>
Result<void> check(VkResult result, fmt::format_string<Args...> what, Args&&... args) {
  if (result >= 0) return {};
  return fail(error_of(result, fmt::format(what, std::forward<Args>(args)...)));
}

}  // namespace throng
