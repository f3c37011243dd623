// SPDX-License-Identifier: Apache-2.0
#pragma once
// Buffers, images and samplers that own their memory.

#include <cstring>
#include <span>

#include "throng/gpu/gpu_device.h"

namespace throng {

// A buffer and the memory it lies in.
class Buffer {
 public:
  Buffer() = default;
  // size > 0.
  static Result<Buffer> create(GpuDevice& gpu, VkDeviceSize size, VkBufferUsageFlags usage, MemoryUse use);

  VkBuffer get() const { return buffer_.get(); }          // vulkan's handle
  VkDeviceSize size() const { return size_; }             // bytes, as asked for
  std::byte* mapped() const { return memory_.mapped(); }  // where the host sees it; null for memory of the device alone

 private:
  Allocation memory_;  // freed after the buffer that lies in it
  VkOwned<VkBuffer> buffer_;
  VkDeviceSize size_ = 0;
};

// A buffer of 16 bytes at least, so that there is something to bind where there is nothing to hold.
Result<Buffer> create_bindable_buffer(GpuDevice& gpu, VkDeviceSize bytes, VkBufferUsageFlags usage, MemoryUse use);

// Where `buffer` is smaller than `bytes`, replaces it by one of half as much again. What it held is lost, and no
// pending work may use it.
Result<void> grow_buffer(GpuDevice& gpu, Buffer& buffer, VkDeviceSize bytes, VkBufferUsageFlags usage, MemoryUse use);

// Copies values into the memory of a mapped buffer, from byte `at` on.
template <class T>
void write_values(const Buffer& buffer, std::span<const T> values, VkDeviceSize at = 0) {
  if (!values.empty()) std::memcpy(buffer.mapped() + at, values.data(), values.size_bytes());
}

// A view of all of a buffer, whose usage says so, as texels of a format.
Result<VkOwned<VkBufferView>> create_texel_view(const GpuDevice& gpu, const Buffer& buffer, VkFormat format);

// How large an image is, of which format, and what it is for.
struct ImageShape {
  VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t layers = 1;  // as an array view when `array`
  std::uint32_t levels = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageUsageFlags usage = 0;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  bool array = false;
};

// An image in device memory with a view of all of it.
class ImageResource {
 public:
  ImageResource() = default;
  // An image of that shape; what is in it is undefined.
  static Result<ImageResource> create(GpuDevice& gpu, const ImageShape& shape);

  VkImage get() const { return image_.get(); }        // vulkan's handle
  VkImageView view() const { return view_.get(); }    // a view of all levels and layers
  const ImageShape& shape() const { return shape_; }  // as it was made

 private:
  Allocation memory_;
  VkOwned<VkImage> image_;
  VkOwned<VkImageView> view_;
  ImageShape shape_;
};

// A sampler that destroys itself.
Result<VkOwned<VkSampler>> create_sampler(const GpuDevice& gpu, const VkSamplerCreateInfo& info);

}  // namespace throng
