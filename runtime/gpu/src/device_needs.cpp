// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/device_needs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace throng {
namespace {

struct NeededFeature {
  const char* name;
  VkBool32& (*in)(FeatureChain&);
};

constexpr std::array kNeeded{
    NeededFeature{"dynamicRendering", [](FeatureChain& f) -> VkBool32& { return f.v13.dynamicRendering; }},
    NeededFeature{"synchronization2", [](FeatureChain& f) -> VkBool32& { return f.v13.synchronization2; }},
    NeededFeature{"drawIndirectCount", [](FeatureChain& f) -> VkBool32& { return f.v12.drawIndirectCount; }},
    NeededFeature{"multiDrawIndirect", [](FeatureChain& f) -> VkBool32& { return f.all.features.multiDrawIndirect; }},
    NeededFeature{"drawIndirectFirstInstance",
                  [](FeatureChain& f) -> VkBool32& { return f.all.features.drawIndirectFirstInstance; }},
};

constexpr const char* kAnotherDevice = "update its driver or take another device";

std::vector<VkQueueFamilyProperties> queue_families(const InstanceFunctions& functions, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  functions.queue_families(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions.queue_families(device, &count, families.data());
  families.resize(count);
  return families;
}

bool does_all(const VkQueueFamilyProperties& family) {
  constexpr VkQueueFlags kBoth = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  return (family.queueFlags & kBoth) == kBoth;
}

bool shows(const InstanceFunctions& functions, VkPhysicalDevice device, std::uint32_t family, VkSurfaceKHR surface) {
  VkBool32 can = VK_FALSE;
  return functions.surface_support(device, family, surface, &can) == VK_SUCCESS && can == VK_TRUE;
}

bool has_swapchains(const InstanceFunctions& functions, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  functions.device_extensions(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  functions.device_extensions(device, nullptr, &count, all.data());
  return std::ranges::any_of(all, [](const VkExtensionProperties& extension) {
    return std::string_view(extension.extensionName) == VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  });
}

std::string missing_of_window(const InstanceFunctions& functions, VkPhysicalDevice device, VkSurfaceKHR surface) {
  if (surface == VK_NULL_HANDLE) return {};
  if (!has_swapchains(functions, device))
    return fmt::format("it lacks {}, which windows need; {}", VK_KHR_SWAPCHAIN_EXTENSION_NAME, kAnotherDevice);
  if (find_queue_family(functions, device, surface)) return {};
  return "it cannot show in this window; take another device";
}

}  // namespace

void request_needed(FeatureChain& features) {
  for (const NeededFeature& needed : kNeeded) needed.in(features) = VK_TRUE;
}

std::string missing_of_features(const FeatureChain& features) {
  std::string names;
  std::size_t count = 0;
  for (const NeededFeature& needed : kNeeded) {
    // The one list gives references to write to as well; nothing is written here.
    if (needed.in(const_cast<FeatureChain&>(features)) == VK_TRUE) continue;
    names += fmt::format("{}{}", count++ == 0 ? "" : ", ", needed.name);
  }
  if (count == 0) return {};
  return fmt::format("it lacks the feature{} {}; {}", count == 1 ? "" : "s", names, kAnotherDevice);
}

std::string missing_of_subgroups(const VkPhysicalDeviceSubgroupProperties& subgroups) {
  constexpr VkSubgroupFeatureFlags kOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                                 VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
  // gather.comp has room for the subgroups of a group: so many of them are too many.
  constexpr std::uint32_t kFewestThreads = 8;
  if (subgroups.subgroupSize < kFewestThreads)
    return fmt::format("its subgroups have {} threads, {} are needed; {}", subgroups.subgroupSize, kFewestThreads,
                       kAnotherDevice);
  if ((subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
      (subgroups.supportedOperations & kOperations) == kOperations)
    return {};
  return fmt::format("its compute shaders lack subgroup operations (basic, vote, ballot and arithmetic); {}",
                     kAnotherDevice);
}

std::string missing_of_shadow_maps(VkFormatFeatureFlags2 features) {
  const auto cannot = [](const char* what) {
    return fmt::format("its depth images (D32_SFLOAT) cannot be {}, which shadows need; update its driver", what);
  };
  if ((features & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT) == 0) return cannot("drawn to");
  if ((features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) == 0) return cannot("read by shaders");
  // What a comparing sampler needs, also one that filters; FILTER_LINEAR is for samplers that do not compare.
  if ((features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT) == 0) return cannot("compared by samplers");
  return {};
}

std::string missing_of_version(std::uint32_t api_version) {
  if (api_version >= VK_API_VERSION_1_3) return {};
  return fmt::format("it has Vulkan {}.{}, 1.3 is needed; update its driver", VK_API_VERSION_MAJOR(api_version),
                     VK_API_VERSION_MINOR(api_version));
}

std::optional<std::uint32_t> find_queue_family(const InstanceFunctions& functions, VkPhysicalDevice device,
                                               VkSurfaceKHR surface) {
  const auto families = queue_families(functions, device);
  for (std::uint32_t i = 0; i < families.size(); ++i)
    if (does_all(families[i]) && (surface == VK_NULL_HANDLE || shows(functions, device, i, surface))) return i;
  return std::nullopt;
}

bool can_use_queue_family(const InstanceFunctions& functions, VkPhysicalDevice device, std::uint32_t family) {
  const auto families = queue_families(functions, device);
  return family < families.size() && does_all(families[family]);
}

std::string what_is_missing(const InstanceFunctions& functions, VkPhysicalDevice device, VkSurfaceKHR surface) {
  // The version first: an older device may not be asked the rest.
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  functions.properties(device, &properties);
  if (auto missing = missing_of_version(properties.properties.apiVersion); !missing.empty()) return missing;
  if (!find_queue_family(functions, device)) return "it has no queue for graphics and compute; take another device";
  FeatureChain features;
  functions.features(device, &features.all);
  if (auto missing = missing_of_features(features); !missing.empty()) return missing;
  VkPhysicalDeviceSubgroupProperties subgroups{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  properties.pNext = &subgroups;
  functions.properties(device, &properties);
  if (auto missing = missing_of_subgroups(subgroups); !missing.empty()) return missing;
  const VkFormatFeatureFlags2 depth = features_of(functions, device, VK_FORMAT_D32_SFLOAT);
  if (auto missing = missing_of_shadow_maps(depth); !missing.empty()) return missing;
  return missing_of_window(functions, device, surface);
}

}  // namespace throng
