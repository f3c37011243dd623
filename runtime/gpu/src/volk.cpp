// SPDX-License-Identifier: Apache-2.0
// volk's own code, compiled once: it finds the loader and fills device tables. Its symbols bear names of ours, given by
// volk_names.h (made by CMake): a program that links the loader, or volk itself, has functions of the plain names.
#include "volk_names.h"

#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "volk_code.h"

namespace throng::detail::device {

PFN_vkGetInstanceProcAddr find_loader() { return volkInitialize() == VK_SUCCESS ? vkGetInstanceProcAddr : nullptr; }

void fill_device_table(PFN_vkGetDeviceProcAddr get, VkDevice device, void* table) {
  vkGetDeviceProcAddr = get;
  volkLoadDeviceTable(static_cast<VolkDeviceTable*>(table), device);
}

}  // namespace throng::detail::device
