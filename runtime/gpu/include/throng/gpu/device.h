// SPDX-License-Identifier: Apache-2.0
#pragma once
// A Vulkan device to draw on. Programs that have one describe it in a VulkanContext; programs that have none (command
// lines, tests, the studio) make a Device. It needs no window and no display, unless it is asked to show in one.

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "throng/base/result.h"

namespace throng {

class GpuDevice;      // throng/gpu/gpu_device.h
class PipelineStore;  // throng/gpu/pipeline_store.h

// Someone's device: Vulkan 1.3, created with these features enabled
//   VkPhysicalDeviceFeatures          multiDrawIndirect, drawIndirectFirstInstance
//   VkPhysicalDeviceVulkan12Features  drawIndirectCount
//   VkPhysicalDeviceVulkan13Features  dynamicRendering, synchronization2
// whose compute shaders have subgroup operations (basic, vote, ballot, arithmetic) over eight threads or more.
// Everything made from a context refuses a device that cannot do this, in words; what it can do but was created without
// cannot be seen, so enable all of it.
//
// All handles stay the caller's and must outlive everything made from them. Objects submit uploads to `queue`, which
// must do graphics and compute, and only from inside calls of the thread that called them: a queue is used by one
// thread at a time.
//
// When the device runs out of memory, the call that found out returns an error and what was there before stays as it
// was. When the device is lost every call returns an error: destroy all that was made from it and create a new one.
struct VulkanContext {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;  // none: the system's loader
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  bool sampler_anisotropy = false;  // whether the feature was enabled
  // A file to keep compiled pipelines in between runs; empty: none. It is read when something is made from this context
  // and written when that goes away. Whatever is wrong with it only costs time: a cache is never an error.
  std::filesystem::path pipeline_cache = {};
  // Pipelines that everything made from this context shares; none: each renderer compiles its own.
  PipelineStore* pipelines = nullptr;
};

// What a device is, as Vulkan tells it.
enum class DeviceKind : std::uint8_t { discrete, integrated, virtual_gpu, software, other };
const char* to_string(DeviceKind kind);  // "discrete GPU", "software" and the like, for messages

// A device of this machine, and whether it can be used.
struct DeviceInfo {
  std::uint32_t index = 0;  // in list_devices
  std::string name;
  DeviceKind kind = DeviceKind::other;
  std::string driver;
  std::uint32_t api_version = 0;  // as Vulkan packs it
  std::string unusable;           // why this library cannot draw on it; empty when it can
};

// Every device of this machine, in the loader's order, also those that cannot be used.
Result<std::vector<DeviceInfo>> list_devices();

// Where this user's programs keep what can be made again: $XDG_CACHE_HOME/throng, or ~/.cache/throng; empty when there
// is neither.
std::filesystem::path default_cache_folder();

// A window to show in, as SDL, GLFW and their like describe it.
struct WindowSurface {
  std::vector<const char*> extensions = {};                          // that an instance needs to show in it
  std::function<Result<VkSurfaceKHR>(VkInstance)> create = nullptr;  // the Device destroys what it gives
};

// Which device to make, and what it is to have.
struct DeviceSettings {
  std::string choice;  // an index, or a part of the name in any case; empty: discrete, then integrated, then software
  bool validation = false;  // the Khronos layer, with synchronisation validation; its messages are collected
  // Also told of each message, at once, one at a time from any thread: hears what is said while the Device goes too,
  // such as of objects that were never destroyed.
  std::function<void(const std::string&)> on_validation_message = {};
  // Compiled pipelines are kept in a file of this folder (VulkanContext::pipeline_cache), named after the device;
  // empty: nowhere.
  std::filesystem::path cache_folder = {};
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;  // none: the system's loader
  // Only devices that can show in it are taken, and their queue does; VK_KHR_swapchain is enabled.
  std::optional<WindowSurface> window = std::nullopt;
};

class Device {
 public:
  // Makes an instance and a device. Refused: no device that can be used; the error lists those there are, each
  // with its reason.
  static Result<Device> create(const DeviceSettings& settings = {});
  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;
  ~Device();

  const VulkanContext& context() const;  // its handles, for everything that draws on it
  const DeviceInfo& info() const;        // what was chosen
  // The surface of DeviceSettings::window; none without. It goes with the Device, after every swapchain made for it.
  VkSurfaceKHR surface() const;

  // Warnings and errors of the validation layer so far; always empty without validation.
  std::vector<std::string> validation_messages() const;

 private:
  struct State;
  explicit Device(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
