// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows one image of the window after another: waits for its turn, records pictures and shapes, hands it to the
// display.

#include <imgui.h>

#include <array>
#include <memory>
#include <optional>

#include "gpu/pictures.h"
#include "gpu/swapchain.h"
#include "gpu/ui_renderer.h"
#include "throng/gpu/commands.h"

namespace throng::studio {

class Presenter {
 public:
  // `device` shows in a window (gpu/window_device.h) of `size` pixels and outlives this.
  static Result<std::unique_ptr<Presenter>> create(const Device& device, VkExtent2D size);
  Presenter(const Presenter&) = delete;
  Presenter& operator=(const Presenter&) = delete;
  ~Presenter();  // waits for the device

  Pictures& pictures() { return *pictures_; }

  // Draws and shows. Does nothing for a window without area, or when the display does not take an image now.
  // `size`: of the window, in pixels.
  Result<void> show(const ImDrawData& shapes, VkExtent2D size);
  // The same, and gives back what is shown; nothing when nothing was.
  Result<std::optional<Image>> show_and_read(const ImDrawData& shapes, VkExtent2D size);

 private:
  struct Slot {
    CommandRecorder commands;
    VkOwned<VkSemaphore> acquired;
    bool submitted = false;  // and not waited for since
  };

  Presenter(std::shared_ptr<GpuDevice> gpu, VkSurfaceKHR surface) : gpu_(std::move(gpu)), surface_(surface) {}
  Result<void> set_up(VkExtent2D size);
  void wait_for_device() { gpu_->vk().vkDeviceWaitIdle(gpu_->device()); }
  Result<void> fit(VkExtent2D size);
  // Waits until the image that had the slot before has finished.
  Result<void> wait_for_slot();
  // The index of an image to draw on; nothing when there is none now.
  Result<std::optional<std::uint32_t>> acquire(VkExtent2D size);
  Result<void> record(std::uint32_t image, const ImDrawData& shapes, const Buffer* copy);
  Result<void> record_shapes(std::uint32_t image, const ImDrawData& shapes);
  void record_copy(std::uint32_t image, VkBuffer to);
  Result<void> submit(std::uint32_t image);
  Result<void> hand_over(std::uint32_t image, VkExtent2D size);
  // The size of what was shown, and its bytes in `copy` where one is given.
  Result<std::optional<VkExtent2D>> present(const ImDrawData& shapes, VkExtent2D size, Buffer* copy);
  Slot& slot() { return slots_[ring_.slot()]; }

  static constexpr std::uint32_t kInFlight = 2;

  std::shared_ptr<GpuDevice> gpu_;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
  VkSurfaceFormatKHR format_{};
  FrameRing ring_{kInFlight};
  std::optional<Swapchain> swapchain_;
  std::optional<Pictures> pictures_;
  std::optional<UiRenderer> shapes_;
  std::array<Slot, kInFlight> slots_;
};

}  // namespace throng::studio
