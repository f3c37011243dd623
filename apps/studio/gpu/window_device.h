// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Vulkan device that the window is drawn with, and the window's surface. Calls go through a table of its own; the
// preview has another device (core/preview_stage.h), so neither waits for the other's queue.

#include <volk.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "throng/base/result.h"

struct SDL_Window;

namespace throng::studio {

// "Vulkan: could not create a buffer: …" when `result` is an error.
Result<void> check(VkResult result, const char* what);

// What the validation layer said; it may speak from any thread.
class ValidationNotes {
 public:
  void add(std::string message);
  std::vector<std::string> messages() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

struct WindowDeviceSettings {
  std::string choice = {};           // a part of the device's name in any case; empty: the best
  ValidationNotes* notes = nullptr;  // outlives the device; nothing: no validation
};

class WindowDevice {
 public:
  // Refused in words: no device with Vulkan 1.3, dynamic rendering and synchronization2 that can show in this window.
  static Result<std::unique_ptr<WindowDevice>> create(SDL_Window* window, const WindowDeviceSettings& settings);
  WindowDevice(const WindowDevice&) = delete;
  WindowDevice& operator=(const WindowDevice&) = delete;
  ~WindowDevice();  // waits for the device

  const VolkDeviceTable& vk() const { return table_; }
  VkDevice device() const { return device_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkSurfaceKHR surface() const { return surface_; }
  VkQueue queue() const { return queue_; }
  std::uint32_t queue_family() const { return queue_family_; }
  const std::string& name() const { return name_; }
  bool is_software() const { return is_software_; }

  // Memory for what has these requirements. The error says how much was wanted.
  Result<VkDeviceMemory> allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags properties) const;

 private:
  WindowDevice() = default;
  Result<void> make_instance(SDL_Window* window, ValidationNotes* notes);
  Result<void> choose(const std::string& choice);
  Result<void> make_device();

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::uint32_t queue_family_ = 0;
  std::string name_;
  bool is_software_ = false;
  VolkDeviceTable table_{};
};

// A Vulkan object that is destroyed with its owner. The device must outlive it.
template <class Handle>
class Owned {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);

  Owned() = default;
  Owned(const WindowDevice& device, Handle handle, Destroy VolkDeviceTable::*destroy)
      : device_(&device), handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept { *this = std::move(other); }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (handle_ != VK_NULL_HANDLE) (device_->vk().*destroy_)(device_->device(), handle_, nullptr);
  }

  Handle get() const { return handle_; }

 private:
  const WindowDevice* device_ = nullptr;
  Handle handle_ = VK_NULL_HANDLE;
  Destroy VolkDeviceTable::*destroy_ = nullptr;
};

// Creates with one of the table's functions and owns what comes:
//   make(device, &VolkDeviceTable::vkCreateFence, &VolkDeviceTable::vkDestroyFence, info, "create a fence")
template <class Handle, class Info>
Result<Owned<Handle>> make(const WindowDevice& device,
                           VkResult (VKAPI_PTR* VolkDeviceTable::*create)(VkDevice, const Info*,
                                                                          const VkAllocationCallbacks*, Handle*),
                           typename Owned<Handle>::Destroy VolkDeviceTable::*destroy, const Info& info,
                           const char* what) {
  Handle handle = VK_NULL_HANDLE;
  if (auto made = check((device.vk().*create)(device.device(), &info, nullptr, &handle), what); !made)
    return fail(std::move(made));
  return Owned<Handle>(device, handle, destroy);
}

}  // namespace throng::studio
