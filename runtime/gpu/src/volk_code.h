// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two functions of volk that this module calls. All other files see only volk's header, for its types.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

namespace throng::detail::device {

// The system's loader; none: it is not installed.
PFN_vkGetInstanceProcAddr find_loader();

// Fills a VolkDeviceTable. One thread at a time.
void fill_device_table(PFN_vkGetDeviceProcAddr get, VkDevice device, void* table);

}  // namespace throng::detail::device
