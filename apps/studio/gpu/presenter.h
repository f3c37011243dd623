// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows one image of the window after another: waits for its turn, records pictures and shapes, hands it to the
// display.

#include <imgui.h>

#include <array>
#include <optional>

#include "gpu/pictures.h"
#include "gpu/swapchain.h"
#include "gpu/ui_renderer.h"

namespace throng::studio {

class Presenter {
 public:
  static Result<std::unique_ptr<Presenter>> create(const WindowDevice& device, VkExtent2D size);
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
    Owned<VkCommandPool> pool;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    Owned<VkFence> finished;
    Owned<VkSemaphore> acquired;
  };

  explicit Presenter(const WindowDevice& device) : device_(device) {}
  Result<void> create_slot(Slot& slot);
  Result<void> fit(VkExtent2D size);
  // The index of an image to draw on; nothing when there is none now.
  Result<std::optional<std::uint32_t>> acquire(VkExtent2D size);
  Result<void> record(std::uint32_t image, const ImDrawData& shapes, HostBuffer* copy);
  void record_copy(std::uint32_t image, VkBuffer to);
  Result<void> submit(std::uint32_t image);
  Result<void> hand_over(std::uint32_t image, VkExtent2D size);
  // The size of what was shown, and its bytes in `copy` where one is given.
  Result<std::optional<VkExtent2D>> present(const ImDrawData& shapes, VkExtent2D size, HostBuffer* copy);
  Slot& slot() { return slots_[current_]; }

  static constexpr std::uint32_t kInFlight = 2;

  const WindowDevice& device_;
  VkSurfaceFormatKHR format_{};
  std::optional<Swapchain> swapchain_;
  std::optional<Pictures> pictures_;
  std::optional<UiRenderer> shapes_;
  std::array<Slot, kInFlight> slots_;
  std::uint32_t current_ = 0;
};

}  // namespace throng::studio
