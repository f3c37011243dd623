// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that keeps the depth of its last image, in any format, number of samples and direction, and lets a crowd
// leave out whom that hides.

#include <gtest/gtest.h>

#include <cmath>

#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/character_renderer.h"
#include "throng/scene/scene_view.h"

namespace throng::test {

struct DepthKind {
  VkFormat format = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkCompareOp compare = VK_COMPARE_OP_GREATER;
};

class HidingRenderer {
 public:
  // Odd sizes: no level of the pyramid fits the picture.
  static constexpr std::uint32_t kWidth = 131;
  static constexpr std::uint32_t kHeight = 77;

  HidingRenderer(const VulkanContext& context, const Character& model, const DepthKind& kind)
      : kind_(kind),
        gpu_(GpuDevice::create(context).value()),
        crowd(CharacterRenderer::create(context, {.targets = targets(kind)}).value()),
        pyramid(DepthPyramid::create(context, pyramid_settings(kind)).value()) {
    EXPECT_TRUE(crowd.add(model));
    ImageShape colour{.format = targets(kind).colour, .width = kWidth, .height = kHeight, .samples = kind.samples};
    colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    colour_ = ImageResource::create(*gpu_, colour).value();
    ImageShape depth{.format = kind.format, .width = kWidth, .height = kHeight, .samples = kind.samples};
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    depth_ = ImageResource::create(*gpu_, depth).value();
  }

  static DepthPyramidSettings pyramid_settings(const DepthKind& kind) {
    DepthPyramidSettings settings{.width = kWidth, .height = kHeight, .depth = kind.format};
    settings.samples = kind.samples;
    settings.depth_compare = kind.compare;
    return settings;
  }

  RendererImage image_of(const Camera& camera) const {
    RendererImage image;
    image.clip_from_world = matrix(uniforms(camera));
    image.eye = glm::vec3(camera.eye);
    image.pixels = static_cast<float>(kHeight / (2.0 * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0)));
    return image;
  }

  // Another image: held against the one before.
  CrowdCounts draw(const Camera& camera) {
    const auto done = gpu_->run([&](VkCommandBuffer commands) {
      RendererImage image = image_of(camera);
      image.occluders = pyramid.occluders();
      image.culling = culling;
      const auto prepared = crowd.record_prepare(commands, image);
      EXPECT_TRUE(prepared) << prepared.error().message;
      record(commands, uniforms(camera));
      pyramid.record(commands, depth_.view(), image.clip_from_world);
    });
    EXPECT_TRUE(done) << done.error().message;
    return crowd.far_counts();
  }

  bool culling = true;

 private:
  static constexpr Scope kAll{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                              VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

  static RendererTargets targets(const DepthKind& kind) {
    RendererTargets targets;
    targets.depth = kind.format;
    targets.samples = kind.samples;
    targets.depth_compare = kind.compare;
    return targets;
  }

  static gpu::SceneUniforms uniforms(const Camera& camera) {
    const SceneSettings settings{.width = kWidth, .height = kHeight};
    return scene_uniforms(camera, settings, {});
  }

  // From 1 … 0 to 0 … 1 where near is the smaller depth.
  glm::mat4 matrix(const gpu::SceneUniforms& uniforms) const {
    glm::mat4 matrix = uniforms.clip_from_world;
    if (kind_.compare == VK_COMPARE_OP_LESS)
      for (int column = 0; column < 4; ++column) matrix[column].z = matrix[column].w - matrix[column].z;
    return matrix;
  }

  void record(VkCommandBuffer commands, const gpu::SceneUniforms& scene) {
    LayoutChange change{colour_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
    image_barrier(*gpu_, commands, change, kAll, kAll);
    change.image = depth_.get();
    change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
    image_barrier(*gpu_, commands, change, kAll, kAll);
    VkRenderingAttachmentInfo colour{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    colour.imageView = colour_.view();
    colour.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    colour.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    colour.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingAttachmentInfo depth = colour;
    depth.imageView = depth_.view();
    depth.clearValue.depthStencil.depth = kind_.compare == VK_COMPARE_OP_LESS ? 1.0f : 0.0f;
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, {kWidth, kHeight}};
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &colour;
    info.pDepthAttachment = &depth;
    gpu_->vk().vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0, 0, kWidth, kHeight, 0, 1};
    gpu_->vk().vkCmdSetViewport(commands, 0, 1, &viewport);
    gpu_->vk().vkCmdSetScissor(commands, 0, 1, &info.renderArea);
    crowd.record_colour(commands, scene, {});
    gpu_->vk().vkCmdEndRendering(commands);
    change.from = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    change.to = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    image_barrier(*gpu_, commands, change, kAll, kAll);
  }

  DepthKind kind_;
  std::shared_ptr<GpuDevice> gpu_;
  ImageResource colour_;
  ImageResource depth_;

 public:
  CharacterRenderer crowd;
  DepthPyramid pyramid;
};

}  // namespace throng::test
