// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that keeps the depth of its last image, in any format, number of samples and direction, and lets a crowd
// leave out whom that hides.

#include <gtest/gtest.h>

#include "target_images.h"

namespace throng::test {

struct DepthKind {
  VkFormat format = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkCompareOp compare = VK_COMPARE_OP_GREATER;
};

class HidingRenderer {
 public:
  // Odd: no level of the pyramid fits the picture.
  static constexpr VkExtent2D kSize{131, 77};

  HidingRenderer(const VulkanContext& context, const Character& model, const DepthKind& kind)
      : kind_(kind),
        gpu_(GpuDevice::create(context).value()),
        images_(TargetImages::create(gpu_, targets(kind), kSize).value()),
        crowd(CharacterRenderer::create(context, {.targets = targets(kind)}).value()),
        pyramid(DepthPyramid::create(context, pyramid_settings(kind)).value()) {
    EXPECT_TRUE(crowd.add(model));
  }

  static DepthPyramidSettings pyramid_settings(const DepthKind& kind) {
    DepthPyramidSettings settings{.width = kSize.width, .height = kSize.height, .depth = kind.format};
    settings.samples = kind.samples;
    settings.depth_compare = kind.compare;
    return settings;
  }

  // From 1 … 0 to 0 … 1 where near is the smaller depth.
  RendererImage image_of(const Camera& camera) const {
    RendererImage image = test::image_of(camera, kSize);
    glm::mat4& matrix = image.clip_from_world;
    if (kind_.compare == VK_COMPARE_OP_LESS)
      for (int column = 0; column < 4; ++column) matrix[column].z = matrix[column].w - matrix[column].z;
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
      images_.render(commands, [&] { crowd.record_colour(commands, uniforms_of(camera, kSize), {}); });
      images_.keep_depth(commands);
      pyramid.record(commands, images_.depth().view(), image.clip_from_world);
    });
    EXPECT_TRUE(done) << done.error().message;
    return crowd.far_counts();
  }

  bool culling = true;

 private:
  static RendererTargets targets(const DepthKind& kind) {
    RendererTargets targets;
    targets.depth = kind.format;
    targets.samples = kind.samples;
    targets.depth_compare = kind.compare;
    return targets;
  }

  DepthKind kind_;
  std::shared_ptr<GpuDevice> gpu_;
  TargetImages images_;

 public:
  CharacterRenderer crowd;
  DepthPyramid pyramid;
};

}  // namespace throng::test
