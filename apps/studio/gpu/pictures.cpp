// SPDX-License-Identifier: Apache-2.0
#include "gpu/pictures.h"

#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::studio {
namespace {

constexpr Scope kSampled{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
constexpr Scope kCopiedTo{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};

Result<VkOwned<VkSampler>> make_sampler(const GpuDevice& gpu, VkFilter filter) {
  VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = filter;
  info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return create_sampler(gpu, info);
}

// Shown as its bytes are: neither the window nor the pictures in it are converted.
ImageShape shape_of(const Image& image) {
  return {.format = VK_FORMAT_R8G8B8A8_UNORM,
          .width = image.width,
          .height = image.height,
          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
}

Image dark_pixel() { return {1, 1, {20, 20, 22, 255}}; }

}  // namespace

Result<Pictures> Pictures::create(GpuDevice& gpu, std::uint32_t images_in_flight) {
  Pictures made;
  made.gpu_ = &gpu;
  THRONG_TRY(made.smooth_, make_sampler(gpu, VK_FILTER_LINEAR));
  THRONG_TRY(made.sharp_, make_sampler(gpu, VK_FILTER_NEAREST));
  constexpr std::array kBindings{BindingSpec{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_SHADER_STAGE_FRAGMENT_BIT}};
  const auto count = static_cast<std::uint32_t>(kPlaces) * images_in_flight;
  THRONG_TRY(made.sets_, DescriptorSets::create(gpu, kBindings, count));
  made.staging_.resize(images_in_flight);
  for (Shown& shown : made.shown_) shown.waiting = dark_pixel();
  return made;
}

void Pictures::put(Place place, Image image) {
  if (image.width > 0 && image.height > 0) shown_[index(place)].waiting = std::move(image);
}

Result<void> Pictures::record_uploads(VkCommandBuffer commands, FrameRing& ring) {
  const std::size_t slot = ring.slot();
  for (const Place place : {Place::font, Place::preview, Place::texture}) {
    Shown& shown = shown_[index(place)];
    if (shown.waiting) {
      THRONG_CHECK(upload(commands, shown, staging_[slot][index(place)], ring));
      shown.waiting.reset();
    }
    const VkSampler sampler = place == Place::texture ? sharp_.get() : smooth_.get();
    sets_.write_image(set_index(place, slot), 0, shown.texture.view(), sampler);
  }
  return {};
}

Result<void> Pictures::upload(VkCommandBuffer commands, Shown& shown, Buffer& staging, FrameRing& ring) {
  const Image& image = *shown.waiting;
  const ImageShape& has = shown.texture.shape();
  if (shown.texture.get() == VK_NULL_HANDLE || has.width != image.width || has.height != image.height) {
    THRONG_TRY(auto texture, ImageResource::create(*gpu_, shape_of(image)));
    ring.retire(std::exchange(shown.texture, std::move(texture)));
  }
  THRONG_CHECK(grow_buffer(*gpu_, staging, image.rgba.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  write_values(staging, std::span(image.rgba));
  // What it showed is not kept; earlier images of the window must have read it, though.
  LayoutChange change{.image = shown.texture.get(), .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
  image_barrier(*gpu_, commands, change, {kSampled.stages, VK_ACCESS_2_NONE}, kCopiedTo);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {image.width, image.height, 1};
  gpu_->vk().vkCmdCopyBufferToImage(commands, staging.get(), change.image, change.to, 1, &region);
  change.from = std::exchange(change.to, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  image_barrier(*gpu_, commands, change, kCopiedTo, kSampled);
  return {};
}

}  // namespace throng::studio
