// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program with its own renderer: own command buffers, own targets, own formats.

#include <gtest/gtest.h>

#include <cmath>

#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/character_renderer.h"
#include "throng/scene/scene_view.h"

namespace throng::test {

inline constexpr std::uint32_t kSize = 64;

// A float target without sRGB, one sample, plain depth: unlike everything SceneRenderer does.
class OwnRenderer {
 public:
  // `with_motion`: a second colour attachment, of motion vectors.
  explicit OwnRenderer(const VulkanContext& context, bool with_motion = false)
      : gpu_(GpuDevice::create(context).value()), with_motion_(with_motion) {
    ImageShape colour{.format = VK_FORMAT_R32G32B32A32_SFLOAT, .width = kSize, .height = kSize};
    colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    colour_ = ImageResource::create(*gpu_, colour).value();
    colour.format = VK_FORMAT_R32G32_SFLOAT;
    motion_ = ImageResource::create(*gpu_, colour).value();
    ImageShape depth{.format = VK_FORMAT_D16_UNORM, .width = kSize, .height = kSize};
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    depth_ = ImageResource::create(*gpu_, depth).value();
    readback_ =
        Buffer::create(*gpu_, VkDeviceSize{24} * kSize * kSize, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback)
            .value();
  }

  static RendererTargets targets(bool with_motion = false) {
    RendererTargets targets;
    if (with_motion) targets.motion = VK_FORMAT_R32G32_SFLOAT;
    targets.colour = VK_FORMAT_R32G32B32A32_SFLOAT;
    targets.depth = VK_FORMAT_D16_UNORM;
    targets.samples = VK_SAMPLE_COUNT_1_BIT;
    return targets;
  }

  // The red of every pixel after drawing a renderer's characters on black without shadow maps;
  // `pictures` of them into one command buffer.
  std::vector<float> draw(CharacterRenderer& renderer, std::uint64_t now, int pictures = 1) {
    const auto done = gpu_->run([&](VkCommandBuffer commands) {
      for (int i = 0; i < pictures; ++i) record(commands, renderer, now);
      copy(commands);
    });
    EXPECT_TRUE(done) << done.error().message;
    std::vector<float> red;
    for (std::size_t i = 0; i < std::size_t{kSize} * kSize; ++i)
      red.push_back(reinterpret_cast<const float*>(readback_.mapped())[i * 4]);
    return red;
  }

  // How far every pixel's surface moved, after draw().
  std::span<const glm::vec2> motion() const {
    return {reinterpret_cast<const glm::vec2*>(readback_.mapped() + std::size_t{16} * kSize * kSize), kSize * kSize};
  }
  glm::mat4 clip_from_world() const {
    return scene_uniforms(camera, {.width = kSize, .height = kSize}, {}).clip_from_world;
  }

  Camera camera{{0.0, 1.0, 8.0}, {0.0, 1.0, 0.0}, 40.0};
  float speck_pixels = 0.0f;
  float pixel_error = 1.0f;
  std::uint32_t vertex_budget = 0;
  bool culling = true;

 private:
  static VkRenderingAttachmentInfo attachment(VkImageView view) {
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = view;
    info.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return info;
  }

  void record(VkCommandBuffer commands, CharacterRenderer& renderer, std::uint64_t now) {
    const SceneSettings settings{.width = kSize, .height = kSize};
    const gpu::SceneUniforms uniforms = scene_uniforms(camera, settings, {});
    RendererImage image;
    image.now = now;
    image.clip_from_world = uniforms.clip_from_world;
    image.eye = glm::vec3(camera.eye);
    image.pixels = kSize / (2.0f * std::tan(glm::radians(20.0f)));
    image.speck_pixels = speck_pixels;
    image.pixel_error = pixel_error;
    image.vertex_budget = vertex_budget;
    image.culling = culling;
    const auto prepared = renderer.record_prepare(commands, image);
    EXPECT_TRUE(prepared) << prepared.error().message;
    const Scope all{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
    LayoutChange change{colour_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
    image_barrier(*gpu_, commands, change, all, all);
    change.image = motion_.get();
    image_barrier(*gpu_, commands, change, all, all);
    change.image = depth_.get();
    change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    image_barrier(*gpu_, commands, change, all, all);

    const std::array colours{attachment(colour_.view()), attachment(motion_.view())};
    const VkRenderingAttachmentInfo depth = attachment(depth_.view());
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, {kSize, kSize}};
    info.layerCount = 1;
    info.colorAttachmentCount = with_motion_ ? 2 : 1;
    info.pColorAttachments = colours.data();
    info.pDepthAttachment = &depth;
    gpu_->vk().vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0, 0, kSize, kSize, 0, 1};
    gpu_->vk().vkCmdSetViewport(commands, 0, 1, &viewport);
    gpu_->vk().vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    renderer.record_colour(commands, uniforms, {});
    gpu_->vk().vkCmdEndRendering(commands);
  }

  void copy(VkCommandBuffer commands) {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {kSize, kSize, 1};
    for (const VkImage image : {colour_.get(), motion_.get()}) {
      image_barrier(*gpu_, commands, {image, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
                    {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
                    {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
      gpu_->vk().vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback_.get(), 1,
                                        &region);
      region.bufferOffset = VkDeviceSize{16} * kSize * kSize;
    }
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  }

  std::shared_ptr<GpuDevice> gpu_;
  bool with_motion_ = false;
  ImageResource colour_;
  ImageResource motion_;
  ImageResource depth_;
  Buffer readback_;
};

}  // namespace throng::test
