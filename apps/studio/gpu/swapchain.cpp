// SPDX-License-Identifier: Apache-2.0
#include "gpu/swapchain.h"

#include <algorithm>

#include "throng/base/try.h"

namespace throng::studio {
namespace {

InstanceFunctions functions_of(const VulkanContext& context) {
  return {context.get_instance_proc_addr, context.instance};
}

VkExtent2D fitted(VkExtent2D wanted, const VkSurfaceCapabilitiesKHR& can) {
  constexpr std::uint32_t kAsYouLike = 0xFFFFFFFF;
  const VkExtent2D size = can.currentExtent.width == kAsYouLike ? wanted : can.currentExtent;
  return {std::clamp(size.width, can.minImageExtent.width, can.maxImageExtent.width),
          std::clamp(size.height, can.minImageExtent.height, can.maxImageExtent.height)};
}

std::uint32_t image_count(const VkSurfaceCapabilitiesKHR& can) {
  constexpr std::uint32_t kWanted = 3;
  if (can.maxImageCount == 0) return std::max(kWanted, can.minImageCount);
  return std::clamp(kWanted, can.minImageCount, can.maxImageCount);
}

Result<VkOwned<VkImageView>> create_view(const GpuDevice& gpu, VkImage image, VkFormat format) {
  VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image};
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = format;
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateImageView(gpu.device(), &info, nullptr, &view), "create an image view"));
  return VkOwned<VkImageView>(
      gpu, view, [](const GpuDevice& g, VkImageView v) { g.vk().vkDestroyImageView(g.device(), v, nullptr); });
}

}  // namespace

Result<VkOwned<VkSemaphore>> create_semaphore(const GpuDevice& gpu) {
  const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateSemaphore(gpu.device(), &info, nullptr, &semaphore), "create a semaphore"));
  return VkOwned<VkSemaphore>(
      gpu, semaphore, [](const GpuDevice& g, VkSemaphore s) { g.vk().vkDestroySemaphore(g.device(), s, nullptr); });
}

Result<VkSurfaceFormatKHR> choose_format(const VulkanContext& context, VkSurfaceKHR surface) {
  const InstanceFunctions functions = functions_of(context);
  std::uint32_t count = 0;
  functions.surface_formats(context.physical_device, surface, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  functions.surface_formats(context.physical_device, surface, &count, formats.data());
  for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}) {
    const auto found = std::ranges::find(formats, wanted, &VkSurfaceFormatKHR::format);
    if (found != formats.end()) return *found;
  }
  return fail("Vulkan: the device shows no format of 8 bits a channel in this window; take another device");
}

Result<Swapchain> Swapchain::create(const GpuDevice& gpu, VkSurfaceKHR surface, VkSurfaceFormatKHR format,
                                    VkExtent2D wanted, const Swapchain* old) {
  VkSurfaceCapabilitiesKHR can{};
  THRONG_CHECK(check(functions_of(gpu.context()).surface_capabilities(gpu.context().physical_device, surface, &can),
                     "ask about the window"));
  Swapchain made;
  made.extent_ = fitted(wanted, can);
  made.can_be_read_ = (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) != 0;

  VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = surface};
  info.minImageCount = image_count(can);
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
  VkSwapchainKHR handle = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreateSwapchainKHR(gpu.device(), &info, nullptr, &handle), "create images for the window"));
  made.swapchain_ = {
      gpu, handle, [](const GpuDevice& g, VkSwapchainKHR s) { g.vk().vkDestroySwapchainKHR(g.device(), s, nullptr); }};
  THRONG_CHECK(made.take_images(gpu, format.format));
  return made;
}

Result<void> Swapchain::take_images(const GpuDevice& gpu, VkFormat format) {
  std::uint32_t count = 0;
  gpu.vk().vkGetSwapchainImagesKHR(gpu.device(), get(), &count, nullptr);
  std::vector<VkImage> handles(count);
  THRONG_CHECK(
      check(gpu.vk().vkGetSwapchainImagesKHR(gpu.device(), get(), &count, handles.data()), "take the window's images"));
  for (const VkImage image : handles) {
    THRONG_TRY(auto view, create_view(gpu, image, format));
    THRONG_TRY(auto drawn, create_semaphore(gpu));
    images_.push_back({image, std::move(view), std::move(drawn)});
  }
  return {};
}

}  // namespace throng::studio
