// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/upload.h"

#include <algorithm>
#include <array>
#include <bit>

#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng {
namespace {

constexpr Scope kTransferWrite{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Scope kTransferRead{VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Scope kAllRead{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT};

using Arrays = std::span<const std::span<const std::byte>>;

Result<Buffer> staging(GpuDevice& gpu, Arrays arrays) {
  VkDeviceSize size = 0;
  for (const std::span<const std::byte> array : arrays) size += array.size();
  THRONG_TRY(auto buffer, Buffer::create(gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  VkDeviceSize at = 0;
  for (const std::span<const std::byte> array : arrays) {
    write_values(buffer, array, at);
    at += array.size();
  }
  return buffer;
}

// To the front of `buffer`.
Result<void> copy_from(GpuDevice& gpu, const Buffer& source, const Buffer& buffer) {
  return gpu.run([&](VkCommandBuffer commands) {
    memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_NONE}, kTransferWrite);
    const VkBufferCopy copy{0, 0, source.size()};
    gpu.vk().vkCmdCopyBuffer(commands, source.get(), buffer.get(), 1, &copy);
    memory_barrier(gpu, commands, kTransferWrite, kAllRead);
  });
}

VkOffset3D end_of_level(const ImageShape& shape, std::uint32_t level) {
  return {static_cast<std::int32_t>(std::max(shape.width >> level, 1u)),
          static_cast<std::int32_t>(std::max(shape.height >> level, 1u)), 1};
}

// Level by level, each from the one above; every level ends readable by shaders.
void filter_levels(const GpuDevice& gpu, VkCommandBuffer commands, const ImageResource& image) {
  const ImageShape& shape = image.shape();
  LayoutChange change{image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  change.level_count = 1;
  for (std::uint32_t level = 1; level < shape.levels; ++level) {
    change.first_level = level - 1;
    image_barrier(gpu, commands, change, kTransferWrite, kTransferRead);
    VkImageBlit blit{};
    blit.srcSubresource = {shape.aspect, level - 1, 0, shape.layers};
    blit.srcOffsets[1] = end_of_level(shape, level - 1);
    blit.dstSubresource = {shape.aspect, level, 0, shape.layers};
    blit.dstOffsets[1] = end_of_level(shape, level);
    gpu.vk().vkCmdBlitImage(commands, image.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image.get(),
                            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_LINEAR);
  }
  if (shape.levels > 1) {
    LayoutChange sources{image.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    sources.level_count = shape.levels - 1;
    image_barrier(gpu, commands, sources, kTransferRead, kAllRead);
  }
  LayoutChange last{image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  last.first_level = shape.levels - 1;
  last.level_count = 1;
  image_barrier(gpu, commands, last, kTransferWrite, kAllRead);
}

}  // namespace

Result<Buffer> upload_buffer(GpuDevice& gpu, std::span<const std::byte> bytes, VkBufferUsageFlags usage) {
  return upload_joined(gpu, std::array{bytes}, usage);
}

Result<Buffer> upload_joined(GpuDevice& gpu, Arrays arrays, VkBufferUsageFlags usage) {
  THRONG_TRY(const auto source, staging(gpu, arrays));
  THRONG_TRY(auto buffer,
             Buffer::create(gpu, source.size(), usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::device));
  THRONG_CHECK(copy_from(gpu, source, buffer));
  return buffer;
}

Result<void> update_buffer(GpuDevice& gpu, const Buffer& buffer, std::span<const std::byte> bytes) {
  THRONG_TRY(const auto source, staging(gpu, std::array{bytes}));
  return copy_from(gpu, source, buffer);
}

Result<ImageResource> upload_image(GpuDevice& gpu, ImageShape shape, std::span<const std::byte> texels) {
  shape.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (shape.levels > 1) shape.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  THRONG_TRY(auto image, ImageResource::create(gpu, shape));
  THRONG_TRY(const auto source, staging(gpu, std::array{texels}));
  THRONG_CHECK(gpu.run([&](VkCommandBuffer commands) {
    image_barrier(gpu, commands, {image.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL}, {},
                  kTransferWrite);
    VkBufferImageCopy copy{};
    copy.imageSubresource = {shape.aspect, 0, 0, shape.layers};
    copy.imageExtent = {shape.width, shape.height, 1};
    gpu.vk().vkCmdCopyBufferToImage(commands, source.get(), image.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                                    &copy);
    filter_levels(gpu, commands, image);
  }));
  return image;
}

Result<ImageResource> upload_texture(GpuDevice& gpu, const Image& image, VkFormat format) {
  ImageShape shape{.format = format, .width = image.width, .height = image.height};
  constexpr VkFormatFeatureFlags2 kFilterable = VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT |
                                                VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  if ((gpu.format_features(shape.format) & kFilterable) == kFilterable)
    shape.levels = static_cast<std::uint32_t>(std::bit_width(std::max(image.width, image.height)));
  return upload_image(gpu, shape, std::as_bytes(std::span(image.rgba)));
}

}  // namespace throng
