// SPDX-License-Identifier: Apache-2.0
#include "scene_targets.h"

#include <bit>
#include "throng/base/try.h"

namespace throng::detail::scene {
namespace {

constexpr VkFormat kColourFormat = VK_FORMAT_R8G8B8A8_SRGB;
constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

constexpr Scope kDepthTests{
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT};
constexpr Scope kColourOutput{VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                              VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr Scope kComputeRead{VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
constexpr Scope kFragmentRead{VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
constexpr Scope kCopyRead{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Scope kCopyWrite{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT};
constexpr Scope kHostRead{VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT};

constexpr VkClearValue kFarthest{.depthStencil = {1.0f, 0}};

LayoutChange depth_change(VkImage image, VkImageLayout from, VkImageLayout to) {
  LayoutChange change{image, from, to};
  change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  return change;
}

Result<void> check_settings(const GpuDevice& gpu, const SceneSettings& settings) {
  const VkPhysicalDeviceLimits& limits = gpu.limits();
  const std::uint32_t largest =
      std::min({limits.maxImageDimension2D, limits.maxFramebufferWidth, limits.maxFramebufferHeight});
  if (settings.width == 0 || settings.height == 0 || settings.width > largest || settings.height > largest)
    return fail("a picture of {} × {} cannot be drawn: sizes go from 1 to {} on this device", settings.width,
                settings.height, largest);
  if (settings.cascades == 0 || settings.cascades > gpu::kMostCascades)
    return fail("{} shadow maps of the sun cannot be drawn: take 1 to {}", settings.cascades, gpu::kMostCascades);
  if (settings.shadow_size == 0 || settings.shadow_size > largest || settings.contact_size > largest)
    return fail("shadow maps of {} and {} texels cannot be drawn: sizes go to {} on this device", settings.shadow_size,
                settings.contact_size, largest);
  const VkSampleCountFlags possible = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts;
  if (!std::has_single_bit(settings.samples) || (possible & settings.samples) == 0)
    return fail("{} samples a pixel cannot be drawn on this device; take {}", settings.samples,
                (possible & VK_SAMPLE_COUNT_4_BIT) != 0 ? "1 or 4" : "1");
  return {};
}

Result<void> create_into(GpuDevice& gpu, ImageResource& into, const ImageShape& shape) {
  THRONG_TRY(into, ImageResource::create(gpu, shape));
  return {};
}

ImageShape map_shape(std::uint32_t size) {
  ImageShape shape{.format = kDepthFormat, .width = size, .height = size};
  shape.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  shape.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  return shape;
}

Result<VkOwned<VkImageView>> create_layer_view(const GpuDevice& gpu, const ImageResource& image, std::uint32_t layer) {
  VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image.get();
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = image.shape().format;
  info.subresourceRange = {image.shape().aspect, 0, 1, layer, 1};
  VkImageView view = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateImageView(gpu.device(), &info, nullptr, &view), "create an image view"));
  return VkOwned<VkImageView>(
      gpu, view, [](const GpuDevice& g, VkImageView v) { g.vk().vkDestroyImageView(g.device(), v, nullptr); });
}

void set_viewport(const GpuDevice& gpu, VkCommandBuffer commands, std::uint32_t width, std::uint32_t height) {
  const VkViewport viewport{0.0f, 0.0f, static_cast<float>(width), static_cast<float>(height), 0.0f, 1.0f};
  const VkRect2D scissor{{0, 0}, {width, height}};
  gpu.vk().vkCmdSetViewport(commands, 0, 1, &viewport);
  gpu.vk().vkCmdSetScissor(commands, 0, 1, &scissor);
}

VkRenderingAttachmentInfo attachment(VkImageView view, VkAttachmentStoreOp store, VkClearValue clear) {
  VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = view;
  info.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.storeOp = store;
  info.clearValue = clear;
  return info;
}

void begin(const GpuDevice& gpu, VkCommandBuffer commands, const ImageShape& shape,
           const VkRenderingAttachmentInfo* colour, const VkRenderingAttachmentInfo& depth) {
  VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, {shape.width, shape.height}};
  info.layerCount = 1;
  info.colorAttachmentCount = colour != nullptr ? 1u : 0u;
  info.pColorAttachments = colour;
  info.pDepthAttachment = &depth;
  gpu.vk().vkCmdBeginRendering(commands, &info);
  set_viewport(gpu, commands, shape.width, shape.height);
}

}  // namespace

Result<SceneTargets> SceneTargets::create(GpuDevice& gpu, const SceneSettings& settings) {
  THRONG_CHECK(check_settings(gpu, settings));
  SceneTargets targets;
  ImageShape colour{.format = kColourFormat, .width = settings.width, .height = settings.height};
  colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  THRONG_CHECK(create_into(gpu, targets.colour_, colour));
  colour.samples = static_cast<VkSampleCountFlagBits>(settings.samples);
  colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  if (settings.samples > 1) THRONG_CHECK(create_into(gpu, targets.multisampled_, colour));
  ImageShape depth = colour;
  depth.format = kDepthFormat;
  targets.keeps_depth_ = settings.occlusion;
  depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  depth.usage |= settings.occlusion ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  THRONG_CHECK(create_into(gpu, targets.depth_, depth));
  THRONG_CHECK(targets.create_cascades(gpu, settings));
  if (settings.contact_size > 0) THRONG_CHECK(create_into(gpu, targets.contact_map_, map_shape(settings.contact_size)));
  THRONG_TRY(targets.readback_, Buffer::create(gpu, VkDeviceSize{4} * settings.width * settings.height,
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback));
  return targets;
}

Result<void> SceneTargets::create_cascades(GpuDevice& gpu, const SceneSettings& settings) {
  ImageShape shape = map_shape(settings.shadow_size);
  shape.layers = settings.cascades;
  shape.array = true;
  THRONG_CHECK(create_into(gpu, cascades_, shape));
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer) {
    THRONG_TRY(auto view, create_layer_view(gpu, cascades_, layer));
    cascade_layers_.push_back(std::move(view));
  }
  return {};
}

void SceneTargets::begin_shadows(const GpuDevice& gpu, VkCommandBuffer commands) const {
  for (const ImageResource* map : {&cascades_, &contact_map_})
    if (map->get() != VK_NULL_HANDLE)
      image_barrier(gpu, commands,
                    depth_change(map->get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL),
                    kFragmentRead, kDepthTests);
}

void SceneTargets::end_shadows(const GpuDevice& gpu, VkCommandBuffer commands) const {
  for (const ImageResource* map : {&cascades_, &contact_map_})
    if (map->get() != VK_NULL_HANDLE)
      image_barrier(
          gpu, commands,
          depth_change(map->get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
          kDepthTests, kFragmentRead);
}

void SceneTargets::begin_cascade(const GpuDevice& gpu, VkCommandBuffer commands, std::uint32_t cascade) const {
  begin(gpu, commands, cascades_.shape(), nullptr,
        attachment(cascade_layers_[cascade].get(), VK_ATTACHMENT_STORE_OP_STORE, kFarthest));
}

void SceneTargets::begin_contact(const GpuDevice& gpu, VkCommandBuffer commands) const {
  begin(gpu, commands, contact_map_.shape(), nullptr,
        attachment(contact_map_.view(), VK_ATTACHMENT_STORE_OP_STORE, kFarthest));
}

void SceneTargets::end_map(const GpuDevice& gpu, VkCommandBuffer commands) const {
  gpu.vk().vkCmdEndRendering(commands);
}

void SceneTargets::begin_colour(const GpuDevice& gpu, VkCommandBuffer commands) const {
  const bool resolve = multisampled_.get() != VK_NULL_HANDLE;
  const LayoutChange into_colour{colour_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
  image_barrier(gpu, commands, into_colour, kColourOutput, kColourOutput);
  if (resolve) {
    LayoutChange change = into_colour;
    change.image = multisampled_.get();
    image_barrier(gpu, commands, change, kColourOutput, kColourOutput);
  }
  image_barrier(gpu, commands,
                depth_change(depth_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL),
                {kDepthTests.stages | kComputeRead.stages, kDepthTests.access}, kDepthTests);

  VkRenderingAttachmentInfo colour =
      attachment(resolve ? multisampled_.view() : colour_.view(), VK_ATTACHMENT_STORE_OP_STORE, VkClearValue{});
  if (resolve) {
    colour.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    colour.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    colour.resolveImageView = colour_.view();
    colour.resolveImageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
  }
  begin(gpu, commands, colour_.shape(), &colour,
        attachment(depth_.view(), keeps_depth_ ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE,
                   VkClearValue{}));
}

void SceneTargets::end_colour(const GpuDevice& gpu, VkCommandBuffer commands) const {
  gpu.vk().vkCmdEndRendering(commands);
  if (keeps_depth_)
    image_barrier(
        gpu, commands,
        depth_change(depth_.get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
        kDepthTests, kComputeRead);
}

void SceneTargets::copy_to_host(const GpuDevice& gpu, VkCommandBuffer commands) const {
  image_barrier(gpu, commands,
                {colour_.get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
                kColourOutput, kCopyRead);
  VkBufferImageCopy copy{};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {colour_.shape().width, colour_.shape().height, 1};
  gpu.vk().vkCmdCopyImageToBuffer(commands, colour_.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback_.get(), 1,
                                  &copy);
  memory_barrier(gpu, commands, kCopyWrite, kHostRead);
}

Image SceneTargets::picture() const {
  Image image{colour_.shape().width, colour_.shape().height, {}};
  image.rgba.resize(readback_.size());
  std::memcpy(image.rgba.data(), readback_.mapped(), image.rgba.size());
  return image;
}

}  // namespace throng::detail::scene
