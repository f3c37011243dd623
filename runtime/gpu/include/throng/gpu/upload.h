// SPDX-License-Identifier: Apache-2.0
#pragma once
// Host memory → GPU memory, waiting until it is there.

#include "throng/character/image.h"
#include "throng/gpu/resources.h"

namespace throng {

// A device buffer that holds `bytes` (at least one).
Result<Buffer> upload_buffer(GpuDevice& gpu, std::span<const std::byte> bytes, VkBufferUsageFlags usage);

// A device buffer that holds these arrays, one after another (at least a byte in all): what is to lie in one buffer
// need not be put together first.
Result<Buffer> upload_joined(GpuDevice& gpu, std::span<const std::span<const std::byte>> arrays,
                             VkBufferUsageFlags usage);

// A device buffer that holds these values.
template <class T>
Result<Buffer> upload_values(GpuDevice& gpu, std::span<const T> values,
                             VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) {
  return upload_buffer(gpu, std::as_bytes(values), usage);
}

// Writes `bytes` to the front of `buffer`, after everything the queue was given before has read it.
Result<void> update_buffer(GpuDevice& gpu, const Buffer& buffer, std::span<const std::byte> bytes);

// An image of `shape` whose first level is `texels`, layer by layer; further levels are filtered from it. Ends up
// readable by shaders.
Result<ImageResource> upload_image(GpuDevice& gpu, ImageShape shape, std::span<const std::byte> texels);

// A texture with all its levels, or one level where the device cannot filter them.
Result<ImageResource> upload_texture(GpuDevice& gpu, const Image& image, VkFormat format = VK_FORMAT_R8G8B8A8_SRGB);

}  // namespace throng
