// SPDX-License-Identifier: Apache-2.0
#include "gpu/swapchain.h"

#include <algorithm>

#include "gpu/resources.h"

namespace throng::studio {

Result<VkSurfaceFormatKHR> choose_format(const WindowDevice& device) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(device.physical(), device.surface(), &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(device.physical(), device.surface(), &count, formats.data());
  for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}) {
    const auto found = std::ranges::find(formats, wanted, &VkSurfaceFormatKHR::format);
    if (found != formats.end()) return *found;
  }
  return fail("Vulkan: {} shows no format of 8 bits a channel in this window", device.name());
}

Result<Swapchain> Swapchain::create(const WindowDevice& device, VkSurfaceFormatKHR format, VkExtent2D wanted,
                                    const Swapchain* old) {
  VkSurfaceCapabilitiesKHR can{};
  if (auto done = check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physical(), device.surface(), &can),
                        "ask about the window");
      !done)
    return fail(std::move(done));
  constexpr std::uint32_t kAsYouLike = 0xFFFFFFFF;
  Swapchain made;
  made.extent_ = can.currentExtent.width == kAsYouLike ? wanted : can.currentExtent;
  made.extent_.width = std::clamp(made.extent_.width, can.minImageExtent.width, can.maxImageExtent.width);
  made.extent_.height = std::clamp(made.extent_.height, can.minImageExtent.height, can.maxImageExtent.height);
  made.can_be_read_ = (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) != 0;

  VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = device.surface()};
  info.minImageCount =
      can.maxImageCount == 0 ? std::max(3u, can.minImageCount) : std::clamp(3u, can.minImageCount, can.maxImageCount);
  info.imageFormat = format.format;
  info.imageColorSpace = format.colorSpace;
  info.imageExtent = made.extent_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (made.can_be_read_) info.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  info.preTransform = can.currentTransform;
  const bool opaque = (can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) != 0;
  info.compositeAlpha = opaque ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_FALSE;  // pictures are taken of all of it
  info.oldSwapchain = old == nullptr ? VK_NULL_HANDLE : old->get();
  auto swapchain = make(device, &VolkDeviceTable::vkCreateSwapchainKHR, &VolkDeviceTable::vkDestroySwapchainKHR, info,
                        "make images for the window");
  if (!swapchain) return fail(std::move(swapchain));
  made.swapchain_ = std::move(*swapchain);
  if (auto taken = made.take_images(device, format.format); !taken) return fail(std::move(taken));
  return made;
}

Result<void> Swapchain::take_images(const WindowDevice& device, VkFormat format) {
  std::uint32_t count = 0;
  device.vk().vkGetSwapchainImagesKHR(device.device(), get(), &count, nullptr);
  std::vector<VkImage> handles(count);
  if (auto done = check(device.vk().vkGetSwapchainImagesKHR(device.device(), get(), &count, handles.data()),
                        "take the window's images");
      !done)
    return done;
  for (const VkImage image : handles) {
    VkImageViewCreateInfo view_info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image};
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = format;
    view_info.subresourceRange = kWholeColour;
    auto view = make(device, &VolkDeviceTable::vkCreateImageView, &VolkDeviceTable::vkDestroyImageView, view_info,
                     "make an image view");
    if (!view) return fail(std::move(view));
    const VkSemaphoreCreateInfo semaphore_info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    auto drawn = make(device, &VolkDeviceTable::vkCreateSemaphore, &VolkDeviceTable::vkDestroySemaphore, semaphore_info,
                      "make a semaphore");
    if (!drawn) return fail(std::move(drawn));
    images_.push_back({image, std::move(*view), std::move(*drawn)});
  }
  return {};
}

}  // namespace throng::studio
