// SPDX-License-Identifier: Apache-2.0
#pragma once
// The images that a program with its own renderer draws characters into, of the formats it made its CharacterRenderer
// for; and what such a program tells that of its camera. For tests and benchmarks.

#include <cmath>

#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/character_renderer.h"
#include "throng/scene/scene_view.h"

namespace throng::test {

// Without shadow maps.
inline gpu::SceneUniforms uniforms_of(const Camera& camera, const VkExtent2D& size) {
  gpu::SceneUniforms uniforms = scene_uniforms(camera, {.width = size.width, .height = size.height}, {});
  uniforms.cascade_count = 0;
  uniforms.contact_map.width = 0.0f;
  return uniforms;
}

inline RendererImage image_of(const Camera& camera, const VkExtent2D& size) {
  RendererImage image;
  image.clip_from_world = uniforms_of(camera, size).clip_from_world;
  image.width = size.width;
  image.height = size.height;
  image.eye = glm::vec3(camera.eye);
  image.pixels = static_cast<float>(size.height / (2.0 * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0)));
  return image;
}

class TargetImages {
 public:
  static Result<TargetImages> create(std::shared_ptr<GpuDevice> gpu, const RendererTargets& kinds,
                                     const VkExtent2D& size) {
    constexpr VkImageUsageFlags kColour = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    constexpr VkImageUsageFlags kDepth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    TargetImages made;
    made.gpu_ = std::move(gpu);
    made.kinds_ = kinds;
    made.size_ = size;
    THRONG_TRY(made.colour_, made.image(kinds.colour, kColour, VK_IMAGE_ASPECT_COLOR_BIT));
    THRONG_TRY(made.depth_, made.image(kinds.depth, kDepth, VK_IMAGE_ASPECT_DEPTH_BIT));
    if (made.moves()) {
      THRONG_TRY(made.motion_, made.image(kinds.motion, kColour, VK_IMAGE_ASPECT_COLOR_BIT));
    }
    return made;
  }

  const ImageResource& colour() const { return colour_; }
  const ImageResource& motion() const { return motion_; }  // where the kinds have one
  const ImageResource& depth() const { return depth_; }
  const VkExtent2D& size() const { return size_; }

  // Clears all of them to nothing and calls `draw` in between the beginning and the end of rendering.
  template <class Draw>
  void render(VkCommandBuffer commands, const Draw& draw) const {
    for (const ImageResource* each : {&colour_, &depth_, &motion_})
      if (each->get() != VK_NULL_HANDLE) change(commands, *each, kUndefined, kAttached);
    const std::array colours{attachment(colour_), attachment(motion_)};
    VkRenderingAttachmentInfo depth = attachment(depth_);
    depth.clearValue.depthStencil.depth = kinds_.depth_compare == VK_COMPARE_OP_LESS ? 1.0f : 0.0f;
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, size_};
    info.layerCount = 1;
    info.colorAttachmentCount = moves() ? 2 : 1;
    info.pColorAttachments = colours.data();
    info.pDepthAttachment = &depth;
    const VkViewport viewport{0, 0, static_cast<float>(size_.width), static_cast<float>(size_.height), 0, 1};
    gpu_->vk().vkCmdBeginRendering(commands, &info);
    gpu_->vk().vkCmdSetViewport(commands, 0, 1, &viewport);
    gpu_->vk().vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    draw();
    gpu_->vk().vkCmdEndRendering(commands);
  }

  // After render(): for a DepthPyramid to read.
  void keep_depth(VkCommandBuffer commands) const {
    change(commands, depth_, kAttached, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  }

  // After render(): one of the colour images, for the host to read when the commands have finished.
  void read_back(VkCommandBuffer commands, const ImageResource& from, const Buffer& into,
                 VkDeviceSize offset = 0) const {
    change(commands, from, kAttached, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VkBufferImageCopy region{.bufferOffset = offset};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {size_.width, size_.height, 1};
    gpu_->vk().vkCmdCopyImageToBuffer(commands, from.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, into.get(), 1,
                                      &region);
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  }

 private:
  static constexpr VkImageLayout kUndefined = VK_IMAGE_LAYOUT_UNDEFINED;
  static constexpr VkImageLayout kAttached = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;

  bool moves() const { return kinds_.motion != VK_FORMAT_UNDEFINED; }

  Result<ImageResource> image(VkFormat format, VkImageUsageFlags usage, VkImageAspectFlags aspect) const {
    ImageShape shape{.format = format, .width = size_.width, .height = size_.height, .samples = kinds_.samples};
    shape.usage = usage;
    shape.aspect = aspect;
    return ImageResource::create(*gpu_, shape);
  }

  void change(VkCommandBuffer commands, const ImageResource& image, VkImageLayout from, VkImageLayout to) const {
    constexpr Scope kAll{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                         VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    image_barrier(*gpu_, commands, {image.get(), from, to, image.shape().aspect}, kAll, kAll);
  }

  static VkRenderingAttachmentInfo attachment(const ImageResource& image) {
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = image.view();
    info.imageLayout = kAttached;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return info;
  }

  std::shared_ptr<GpuDevice> gpu_;
  RendererTargets kinds_;
  VkExtent2D size_ = {};
  ImageResource colour_;
  ImageResource depth_;
  ImageResource motion_;
};

}  // namespace throng::test
