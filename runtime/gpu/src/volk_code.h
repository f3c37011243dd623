#pragma once
// What volk.cpp does for others. All else sees only volk's header, for the types of functions and of the table.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

namespace throng {

// The system's loader; none: it is not installed.
PFN_vkGetInstanceProcAddr find_loader();

// Fills a VolkDeviceTable. One thread at a time.
void fill_device_table(PFN_vkGetDeviceProcAddr get, VkDevice device, void* table);

}  // namespace throng
