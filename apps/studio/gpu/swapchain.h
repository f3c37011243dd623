// SPDX-License-Identifier: Apache-2.0
#pragma once
// The images that the window shows in turn, for one size of it.

#include <vector>

#include "throng/gpu/gpu_device.h"

namespace throng::studio {

// A semaphore for what is shown: nothing else in the program needs one.
Result<VkOwned<VkSemaphore>> create_semaphore(const GpuDevice& gpu);

// A format whose bytes are shown as they are (UNORM).
Result<VkSurfaceFormatKHR> choose_format(const VulkanContext& context, VkSurfaceKHR surface);

class Swapchain {
 public:
  // `old` may be one of another size for the same window; it cannot be drawn to afterwards.
  static Result<Swapchain> create(const GpuDevice& gpu, VkSurfaceKHR surface, VkSurfaceFormatKHR format,
                                  VkExtent2D wanted, const Swapchain* old);

  VkSwapchainKHR get() const { return swapchain_.get(); }
  VkExtent2D extent() const { return extent_; }
  VkImage image(std::uint32_t index) const { return images_[index].image; }
  VkImageView view(std::uint32_t index) const { return images_[index].view.get(); }
  // Signalled when the image has been drawn and may be shown.
  VkSemaphore drawn(std::uint32_t index) const { return images_[index].drawn.get(); }
  // Whether its images can be copied from.
  bool can_be_read() const { return can_be_read_; }

 private:
  struct ShownImage {
    VkImage image = VK_NULL_HANDLE;
    VkOwned<VkImageView> view;
    VkOwned<VkSemaphore> drawn;
  };
  Result<void> take_images(const GpuDevice& gpu, VkFormat format);

  VkOwned<VkSwapchainKHR> swapchain_;
  std::vector<ShownImage> images_;
  VkExtent2D extent_{};
  bool can_be_read_ = false;
};

}  // namespace throng::studio
