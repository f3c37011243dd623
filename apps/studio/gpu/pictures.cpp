// SPDX-License-Identifier: Apache-2.0
#include "gpu/pictures.h"

#include <cstring>

namespace throng::studio {
namespace {

constexpr ImageUse kSampled{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
constexpr ImageUse kCopiedTo{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};

Result<Owned<VkSampler>> make_sampler(const WindowDevice& device, VkFilter filter) {
  VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = filter;
  info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return make(device, &VolkDeviceTable::vkCreateSampler, &VolkDeviceTable::vkDestroySampler, info, "make a sampler");
}

Result<Owned<VkDescriptorSetLayout>> make_layout(const WindowDevice& device) {
  VkDescriptorSetLayoutBinding binding{};
  binding.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  binding.descriptorCount = 1;
  binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = 1;
  info.pBindings = &binding;
  return make(device, &VolkDeviceTable::vkCreateDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout,
              info, "make a descriptor layout");
}

Image dark_pixel() { return {1, 1, {20, 20, 22, 255}}; }

}  // namespace

Result<Pictures> Pictures::create(const WindowDevice& device, std::uint32_t images_in_flight) {
  Pictures made;
  made.device_ = &device;
  auto smooth = make_sampler(device, VK_FILTER_LINEAR);
  if (!smooth) return fail(std::move(smooth));
  made.smooth_ = std::move(*smooth);
  auto sharp = make_sampler(device, VK_FILTER_NEAREST);
  if (!sharp) return fail(std::move(sharp));
  made.sharp_ = std::move(*sharp);
  auto layout = make_layout(device);
  if (!layout) return fail(std::move(layout));
  made.layout_ = std::move(*layout);
  if (auto done = made.create_sets(images_in_flight); !done) return fail(std::move(done));
  for (Shown& shown : made.shown_) shown.waiting = dark_pixel();
  return made;
}

Result<void> Pictures::create_sets(std::uint32_t images_in_flight) {
  const auto count = static_cast<std::uint32_t>(kPlaces) * images_in_flight;
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count};
  VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = count};
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  auto pool = make(*device_, &VolkDeviceTable::vkCreateDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool, info,
                   "make a descriptor pool");
  if (!pool) return fail(std::move(pool));
  pool_ = std::move(*pool);
  const std::vector<VkDescriptorSetLayout> layouts(count, layout_.get());
  std::vector<VkDescriptorSet> sets(count);
  VkDescriptorSetAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = pool_.get();
  allocate.descriptorSetCount = count;
  allocate.pSetLayouts = layouts.data();
  if (auto done = check(device_->vk().vkAllocateDescriptorSets(device_->device(), &allocate, sets.data()),
                        "allocate descriptor sets");
      !done)
    return done;
  in_flight_.resize(images_in_flight);
  std::size_t next = 0;
  for (auto& uses : in_flight_)
    for (Use& use : uses) use.set = sets[next++];
  return {};
}

void Pictures::put(Place place, Image image) {
  if (image.width > 0 && image.height > 0) shown_[index(place)].waiting = std::move(image);
}

Result<void> Pictures::record_uploads(VkCommandBuffer commands, std::uint32_t slot) {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    Shown& shown = shown_[i];
    Use& use = in_flight_[slot][i];
    if (shown.waiting) {
      if (auto done = upload(commands, shown, use); !done) return done;
      shown.waiting.reset();
    }
    if (use.texture != shown.texture) point(use, static_cast<Place>(i), shown.texture);
  }
  return {};
}

Result<void> Pictures::upload(VkCommandBuffer commands, Shown& shown, Use& use) {
  const Image& image = *shown.waiting;
  const bool fits = shown.texture && shown.texture->width() == image.width && shown.texture->height() == image.height;
  if (!fits) {
    auto texture = Texture::create(*device_, image.width, image.height);
    if (!texture) return fail(std::move(texture));
    shown.texture = std::make_shared<const Texture>(std::move(*texture));
  }
  if (auto grown = grow(use.staging, *device_, image.rgba.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT); !grown)
    return grown;
  std::memcpy(use.staging.data(), image.rgba.data(), image.rgba.size());
  // What it showed is not kept; earlier images of the window must have read it, though.
  change_use(*device_, commands, shown.texture->image(), {kSampled.stage, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_UNDEFINED},
             kCopiedTo);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {image.width, image.height, 1};
  device_->vk().vkCmdCopyBufferToImage(commands, use.staging.get(), shown.texture->image(), kCopiedTo.layout, 1,
                                       &region);
  change_use(*device_, commands, shown.texture->image(), kCopiedTo, kSampled);
  return {};
}

void Pictures::point(Use& use, Place place, const std::shared_ptr<const Texture>& texture) {
  use.texture = texture;
  const VkSampler sampler = place == Place::texture ? sharp_.get() : smooth_.get();
  const VkDescriptorImageInfo image{sampler, texture->view(), kSampled.layout};
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = use.set};
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  write.pImageInfo = &image;
  device_->vk().vkUpdateDescriptorSets(device_->device(), 1, &write, 0, nullptr);
}

}  // namespace throng::studio
