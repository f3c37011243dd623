// SPDX-License-Identifier: Apache-2.0
#include "gpu/resources.h"

#include <algorithm>

namespace throng::studio {

Result<HostBuffer> HostBuffer::create(const WindowDevice& device, VkDeviceSize size, VkBufferUsageFlags usage) {
  HostBuffer made;
  VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  auto buffer =
      make(device, &VolkDeviceTable::vkCreateBuffer, &VolkDeviceTable::vkDestroyBuffer, info, "make a buffer");
  if (!buffer) return fail(std::move(buffer));
  made.buffer_ = std::move(*buffer);
  VkMemoryRequirements needs{};
  device.vk().vkGetBufferMemoryRequirements(device.device(), made.get(), &needs);
  auto memory = device.allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  if (!memory) return fail(std::move(memory));
  made.memory_ = Owned<VkDeviceMemory>(device, *memory, &VolkDeviceTable::vkFreeMemory);
  if (auto done = check(device.vk().vkBindBufferMemory(device.device(), made.get(), *memory, 0), "bind a buffer");
      !done)
    return fail(std::move(done));
  void* data = nullptr;
  if (auto done = check(device.vk().vkMapMemory(device.device(), *memory, 0, VK_WHOLE_SIZE, 0, &data), "map a buffer");
      !done)
    return fail(std::move(done));
  made.data_ = static_cast<std::byte*>(data);
  made.size_ = size;
  return made;
}

Result<void> grow(HostBuffer& buffer, const WindowDevice& device, VkDeviceSize size, VkBufferUsageFlags usage) {
  if (buffer.size() >= size && buffer.size() > 0) return {};
  constexpr VkDeviceSize kSmallest = 64 * 1024;
  auto larger = HostBuffer::create(device, std::max(kSmallest, size + size / 2), usage);
  if (!larger) return fail(std::move(larger));
  buffer = std::move(*larger);
  return {};
}

Result<Texture> Texture::create(const WindowDevice& device, std::uint32_t width, std::uint32_t height) {
  Texture made;
  made.width_ = width;
  made.height_ = height;
  VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D};
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {width, height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  auto image = make(device, &VolkDeviceTable::vkCreateImage, &VolkDeviceTable::vkDestroyImage, info, "make an image");
  if (!image) return fail(std::move(image));
  made.image_ = std::move(*image);
  VkMemoryRequirements needs{};
  device.vk().vkGetImageMemoryRequirements(device.device(), made.image(), &needs);
  auto memory = device.allocate(needs, 0);
  if (!memory) return fail(std::move(memory));
  made.memory_ = Owned<VkDeviceMemory>(device, *memory, &VolkDeviceTable::vkFreeMemory);
  if (auto done = check(device.vk().vkBindImageMemory(device.device(), made.image(), *memory, 0), "bind an image");
      !done)
    return fail(std::move(done));
  VkImageViewCreateInfo view_info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = made.image()};
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = info.format;
  view_info.subresourceRange = kWholeColour;
  auto view = make(device, &VolkDeviceTable::vkCreateImageView, &VolkDeviceTable::vkDestroyImageView, view_info,
                   "make an image view");
  if (!view) return fail(std::move(view));
  made.view_ = std::move(*view);
  return made;
}

void change_use(const WindowDevice& device, VkCommandBuffer commands, VkImage image, const ImageUse& from,
                const ImageUse& to) {
  VkImageMemoryBarrier2 barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = from.stage;
  barrier.srcAccessMask = from.access;
  barrier.dstStageMask = to.stage;
  barrier.dstAccessMask = to.access;
  barrier.oldLayout = from.layout;
  barrier.newLayout = to.layout;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = kWholeColour;
  VkDependencyInfo info{.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  device.vk().vkCmdPipelineBarrier2(commands, &info);
}

}  // namespace throng::studio
