// SPDX-License-Identifier: Apache-2.0
#pragma once
// Buffers the CPU writes and images the window shows.

#include <cstddef>
#include <span>

#include "gpu/window_device.h"

namespace throng::studio {

// Mapped for as long as it lives.
class HostBuffer {
 public:
  static Result<HostBuffer> create(const WindowDevice& device, VkDeviceSize size, VkBufferUsageFlags usage);
  HostBuffer() = default;

  VkBuffer get() const { return buffer_.get(); }
  VkDeviceSize size() const { return size_; }
  std::byte* data() const { return data_; }

 private:
  Owned<VkDeviceMemory> memory_;
  Owned<VkBuffer> buffer_;
  VkDeviceSize size_ = 0;
  std::byte* data_ = nullptr;
};

// Makes `buffer` hold at least `size` bytes; what was in it is lost when it grows. Nothing may be reading it.
Result<void> grow(HostBuffer& buffer, const WindowDevice& device, VkDeviceSize size, VkBufferUsageFlags usage);

// RGBA, 8 bits, shown as its bytes are: neither the window nor the pictures in it are converted.
class Texture {
 public:
  static Result<Texture> create(const WindowDevice& device, std::uint32_t width, std::uint32_t height);

  VkImage image() const { return image_.get(); }
  VkImageView view() const { return view_.get(); }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }

 private:
  Owned<VkDeviceMemory> memory_;
  Owned<VkImage> image_;
  Owned<VkImageView> view_;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
};

// One barrier on the whole of a colour image.
struct ImageUse {
  VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_NONE;
  VkAccessFlags2 access = VK_ACCESS_2_NONE;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};
void change_use(const WindowDevice& device, VkCommandBuffer commands, VkImage image, const ImageUse& from,
                const ImageUse& to);

inline constexpr VkImageSubresourceRange kWholeColour{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

}  // namespace throng::studio
