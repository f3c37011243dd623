// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this library needs of a device, written once: to refuse a device that lacks it, in words, and to enable it on
// one that has it. VulkanContext (device.h) lists the same for callers who create the device themselves.

#include <optional>
#include <string>

#include "throng/gpu/functions.h"

namespace throng {

// The features of a device, chained as Vulkan wants to read and to write them.
struct FeatureChain {
  FeatureChain() = default;
  FeatureChain(const FeatureChain&) = delete;
  FeatureChain& operator=(const FeatureChain&) = delete;

  VkPhysicalDeviceVulkan13Features v13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
  VkPhysicalDeviceFeatures2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
};

// Turns on every feature that is needed, and no other.
void request_needed(FeatureChain& features);

// "it lacks the features drawIndirectCount, multiDrawIndirect; …"; empty when none is missing. So are those below.
std::string missing_of_features(const FeatureChain& features);
// What the subgroup operations lack, in words.
std::string missing_of_subgroups(const VkPhysicalDeviceSubgroupProperties& subgroups);
std::string missing_of_shadow_maps(VkFormatFeatureFlags2 features);  // what the format of shadow maps lacks, in words
std::string missing_of_version(std::uint32_t api_version);  // what the device's version of Vulkan lacks, in words

// The first queue family that does graphics and compute, and shows in the window of `surface` where there is one.
std::optional<std::uint32_t> find_queue_family(const InstanceFunctions& functions, VkPhysicalDevice device,
                                               VkSurfaceKHR surface = VK_NULL_HANDLE);
// Whether the family does graphics and compute.
bool can_use_queue_family(const InstanceFunctions& functions, VkPhysicalDevice device, std::uint32_t family);

// Why this library cannot draw on a device, or cannot show in a window; empty when it can.
std::string what_is_missing(const InstanceFunctions& functions, VkPhysicalDevice device,
                            VkSurfaceKHR surface = VK_NULL_HANDLE);

}  // namespace throng
