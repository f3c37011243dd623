// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device that fails when it is told to: the caller's handles behind functions of our own, which count the calls that
// can fail and let the n-th one do so. What is failed never reaches the driver, so that the validation layers see a
// program that is right; only a wait that finds the device lost is done first, because the work of a lost device is
// over too.

#include <cstdint>
#include <functional>
#include <string>

#include "fault_pipelines.h"
#include "throng/gpu/device.h"

namespace throng::test {

struct Fault {
  std::string function = {};  // "vkAllocateMemory"; empty: every call that can fail counts
  std::uint32_t call = 1;     // the first that fails, counted from when the fault was set
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  bool for_good = false;  // every one after it fails too
};

// What a device says of itself, to be made less before anyone hears it.
struct Weakness {
  std::function<void(VkPhysicalDeviceFeatures2&)> features = {};
  std::function<void(VkPhysicalDeviceProperties2&)> properties = {};
  std::function<void(VkFormatProperties3&)> formats = {};
};

// One at a time: Vulkan's functions have no room for whose they are.
class FaultyDevice {
 public:
  FaultyDevice();
  FaultyDevice(const FaultyDevice&) = delete;
  FaultyDevice& operator=(const FaultyDevice&) = delete;
  ~FaultyDevice();

  // For DeviceSettings, or for a context whose device was made without it.
  static PFN_vkGetInstanceProcAddr entry();
  static VulkanContext behind(VulkanContext healthy);

  void set(Fault fault);
  void heal();
  // Whether the fault has happened since it was set, and to whom.
  bool happened() const;
  std::string failed_function() const;
  // Calls that counted since the fault was set.
  std::uint32_t calls() const;

  void weaken(Weakness weakness);

  void make_pipelines(PipelineKind kind);
  // Of those that were not compiled for the caller alone, those not destroyed yet.
  std::size_t live_pipelines() const;
  // Before their device goes.
  void destroy_shared_pipelines();
};

// The structure of that type in a chain; it must be there.
template <class T>
T& in_chain(void* first, VkStructureType type) {
  auto* link = static_cast<VkBaseOutStructure*>(first);
  while (link->sType != type) link = link->pNext;
  return *reinterpret_cast<T*>(link);
}

}  // namespace throng::test
