// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program with its own renderer: own command buffers, own targets, own formats.

#include <gtest/gtest.h>

#include "target_images.h"

namespace throng::test {

inline constexpr std::uint32_t kSize = 64;

// A float target without sRGB, one sample, plain depth: unlike everything SceneRenderer does.
class OwnRenderer {
 public:
  // `with_motion`: a second colour attachment, of motion vectors.
  explicit OwnRenderer(const VulkanContext& context, bool with_motion = false)
      : gpu_(GpuDevice::create(context).value()),
        with_motion_(with_motion),
        images_(TargetImages::create(gpu_, targets(with_motion), {kSize, kSize}).value()),
        readback_(Buffer::create(*gpu_, kColourBytes + sizeof(glm::vec2) * kSize * kSize,
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback)
                      .value()) {}

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
      images_.read_back(commands, images_.colour(), readback_);
      if (with_motion_) images_.read_back(commands, images_.motion(), readback_, kColourBytes);
    });
    EXPECT_TRUE(done) << done.error().message;
    std::vector<float> red;
    for (std::size_t i = 0; i < std::size_t{kSize} * kSize; ++i)
      red.push_back(reinterpret_cast<const float*>(readback_.mapped())[i * 4]);
    return red;
  }

  // How far every pixel's surface moved, after draw().
  std::span<const glm::vec2> motion() const {
    return {reinterpret_cast<const glm::vec2*>(readback_.mapped() + kColourBytes), kSize * kSize};
  }
  glm::mat4 clip_from_world() const { return uniforms_of(camera, images_.size()).clip_from_world; }

  Camera camera{{0.0, 1.0, 8.0}, {0.0, 1.0, 0.0}, 40.0};
  float speck_pixels = 0.0f;
  float pixel_error = 1.0f;
  std::uint32_t vertex_budget = 0;
  bool culling = true;
  bool knows_size = true;  // of its picture, and says so

 private:
  static constexpr VkDeviceSize kColourBytes = sizeof(glm::vec4) * kSize * kSize;

  void record(VkCommandBuffer commands, CharacterRenderer& renderer, std::uint64_t now) {
    RendererImage image = image_of(camera, images_.size());
    image.now = now;
    if (!knows_size) image.width = image.height = 0;
    image.speck_pixels = speck_pixels;
    image.pixel_error = pixel_error;
    image.vertex_budget = vertex_budget;
    image.culling = culling;
    const auto prepared = renderer.record_prepare(commands, image);
    EXPECT_TRUE(prepared) << prepared.error().message;
    images_.render(commands, [&] { renderer.record_colour(commands, uniforms_of(camera, images_.size()), {}); });
  }

  std::shared_ptr<GpuDevice> gpu_;
  bool with_motion_ = false;
  TargetImages images_;
  Buffer readback_;
};

}  // namespace throng::test
