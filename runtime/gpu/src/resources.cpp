// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/resources.h"

#include <algorithm>
#include "throng/base/try.h"

namespace throng {

Result<Buffer> Buffer::create(GpuDevice& gpu, VkDeviceSize size, VkBufferUsageFlags usage, MemoryUse use) {
  VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = usage;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer handle = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreateBuffer(gpu.device(), &info, nullptr, &handle), "create a buffer of {} bytes", size));
  Buffer buffer;
  buffer.size_ = size;
  buffer.buffer_ = {gpu, handle,
                    [](const GpuDevice& g, VkBuffer b) { g.vk().vkDestroyBuffer(g.device(), b, nullptr); }};
  VkMemoryRequirements needs{};
  gpu.vk().vkGetBufferMemoryRequirements(gpu.device(), handle, &needs);
  THRONG_TRY(buffer.memory_, gpu.memory().allocate(needs, use, ResourceKind::buffer));
  THRONG_CHECK(
      check(gpu.vk().vkBindBufferMemory(gpu.device(), handle, buffer.memory_.memory(), buffer.memory_.offset()),
            "bind memory to a buffer"));
  return buffer;
}

namespace {

VkImageCreateInfo image_info(const ImageShape& shape) {
  VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = shape.format;
  info.extent = {shape.width, shape.height, 1};
  info.mipLevels = shape.levels;
  info.arrayLayers = shape.layers;
  info.samples = shape.samples;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = shape.usage;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  return info;
}

Result<VkOwned<VkImageView>> create_view(const GpuDevice& gpu, VkImage image, const ImageShape& shape) {
  VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image;
  info.viewType = shape.array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  info.format = shape.format;
  info.subresourceRange = {shape.aspect, 0, shape.levels, 0, shape.layers};
  VkImageView view = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateImageView(gpu.device(), &info, nullptr, &view), "create an image view"));
  return VkOwned<VkImageView>(
      gpu, view, [](const GpuDevice& g, VkImageView v) { g.vk().vkDestroyImageView(g.device(), v, nullptr); });
}

}  // namespace

Result<ImageResource> ImageResource::create(GpuDevice& gpu, const ImageShape& shape) {
  const VkImageCreateInfo info = image_info(shape);
  VkImage handle = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateImage(gpu.device(), &info, nullptr, &handle), "create an image of {} × {} × {}",
                     shape.width, shape.height, shape.layers));
  ImageResource image;
  image.shape_ = shape;
  image.image_ = {gpu, handle, [](const GpuDevice& g, VkImage i) { g.vk().vkDestroyImage(g.device(), i, nullptr); }};
  VkMemoryRequirements needs{};
  gpu.vk().vkGetImageMemoryRequirements(gpu.device(), handle, &needs);
  THRONG_TRY(image.memory_, gpu.memory().allocate(needs, MemoryUse::device, ResourceKind::image));
  THRONG_CHECK(check(gpu.vk().vkBindImageMemory(gpu.device(), handle, image.memory_.memory(), image.memory_.offset()),
                     "bind memory to an image"));
  THRONG_TRY(image.view_, create_view(gpu, handle, shape));
  return image;
}

Result<Buffer> create_bindable_buffer(GpuDevice& gpu, VkDeviceSize bytes, VkBufferUsageFlags usage, MemoryUse use) {
  constexpr VkDeviceSize kLeast = 16;
  return Buffer::create(gpu, std::max(bytes, kLeast), usage, use);
}

Result<void> grow_buffer(GpuDevice& gpu, Buffer& buffer, VkDeviceSize bytes, VkBufferUsageFlags usage, MemoryUse use) {
  if (bytes <= buffer.size()) return {};
  THRONG_TRY(buffer, Buffer::create(gpu, bytes + bytes / 2, usage, use));
  return {};
}

Result<VkOwned<VkBufferView>> create_texel_view(const GpuDevice& gpu, const Buffer& buffer, VkFormat format) {
  VkBufferViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.get();
  info.format = format;
  info.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  THRONG_CHECK(
      check(gpu.vk().vkCreateBufferView(gpu.device(), &info, nullptr, &view), "create a view of a buffer's texels"));
  return VkOwned<VkBufferView>(
      gpu, view, [](const GpuDevice& g, VkBufferView v) { g.vk().vkDestroyBufferView(g.device(), v, nullptr); });
}

Result<VkOwned<VkSampler>> create_sampler(const GpuDevice& gpu, const VkSamplerCreateInfo& info) {
  VkSampler sampler = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateSampler(gpu.device(), &info, nullptr, &sampler), "create a sampler"));
  return VkOwned<VkSampler>(gpu, sampler,
                            [](const GpuDevice& g, VkSampler s) { g.vk().vkDestroySampler(g.device(), s, nullptr); });
}

}  // namespace throng
