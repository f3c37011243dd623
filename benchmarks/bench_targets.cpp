// SPDX-License-Identifier: Apache-2.0
#include "bench_targets.h"

#include <cmath>

namespace throng::bench {
namespace {

constexpr Scope kAll{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

DepthPyramid make_pyramid(const VulkanContext& context, std::uint32_t width, std::uint32_t height) {
  DepthPyramidSettings settings{.width = width, .height = height, .depth = BenchTargets::targets().depth};
  settings.images_in_flight = BenchTargets::targets().images_in_flight;
  return require(DepthPyramid::create(context, settings));
}

}  // namespace

BenchTargets::BenchTargets(const VulkanContext& context, std::uint32_t width, std::uint32_t height)
    : gpu_(require(GpuDevice::create(context))),
      width_(width),
      height_(height),
      pyramid_(make_pyramid(context, width, height)) {
  ImageShape colour{.format = targets().colour, .width = width, .height = height};
  colour.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  colour_ = require(ImageResource::create(*gpu_, colour));
  ImageShape depth{.format = targets().depth, .width = width, .height = height};
  depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  depth.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  depth_ = require(ImageResource::create(*gpu_, depth));
  readback_ = require(
      Buffer::create(*gpu_, VkDeviceSize{4} * width * height, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback));
}

RendererTargets BenchTargets::targets() {
  RendererTargets targets;
  targets.samples = VK_SAMPLE_COUNT_1_BIT;
  targets.images_in_flight = 64;  // all that are recorded into one command buffer
  return targets;
}

RendererImage BenchTargets::image_of(const Camera& camera, Ticks now) const {
  RendererImage image;
  image.now = now;
  const SceneSettings settings{.width = width_, .height = height_};
  image.clip_from_world = scene_uniforms(camera, settings, {}).clip_from_world;
  image.eye = glm::vec3(camera.eye);
  image.pixels = static_cast<float>(height_ / (2.0 * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0)));
  return image;
}

void BenchTargets::keep_depth(VkCommandBuffer commands, const glm::mat4& clip_from_world) {
  LayoutChange change{depth_.get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  image_barrier(*gpu_, commands, change, kAll, kAll);
  pyramid_.record(commands, depth_.view(), clip_from_world);
}

void BenchTargets::record(VkCommandBuffer commands, CharacterRenderer& crowd, const Camera& camera, RendererImage image,
                          Passes passes) {
  if (passes.hide) image.occluders = pyramid_.occluders();
  if (passes.prepare) require(crowd.record_prepare(commands, image).has_value(), "the crowd is not prepared");
  if (!passes.draw) return;
  LayoutChange change{colour_.get(), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL};
  image_barrier(*gpu_, commands, change, kAll, kAll);
  change.image = depth_.get();
  change.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  image_barrier(*gpu_, commands, change, kAll, kAll);
  const auto attachment = [](VkImageView view) {
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = view;
    info.imageLayout = VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return info;
  };
  const VkRenderingAttachmentInfo colour = attachment(colour_.view());
  const VkRenderingAttachmentInfo depth = attachment(depth_.view());
  VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, {width_, height_}};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &colour;
  info.pDepthAttachment = &depth;
  gpu_->vk().vkCmdBeginRendering(commands, &info);
  const VkViewport viewport{0, 0, static_cast<float>(width_), static_cast<float>(height_), 0, 1};
  gpu_->vk().vkCmdSetViewport(commands, 0, 1, &viewport);
  gpu_->vk().vkCmdSetScissor(commands, 0, 1, &info.renderArea);
  const SceneSettings settings{.width = width_, .height = height_};
  gpu::SceneUniforms uniforms = scene_uniforms(camera, settings, {});
  uniforms.cascade_count = 0;
  uniforms.contact_map.width = 0.0f;
  crowd.record_colour(commands, uniforms, {});
  gpu_->vk().vkCmdEndRendering(commands);
  if (passes.hide) keep_depth(commands, image.clip_from_world);
}

std::vector<double> BenchTargets::seconds(std::span<Case> cases, const Effort& effort) {
  CommandRecorder commands = require(CommandRecorder::create(*gpu_));
  pyramid_.forget();  // it may be of another camera
  std::vector<std::function<double()>> measurements;
  for (Case& timed : cases) {
    // Without preparing, what is drawn is what was prepared before.
    if (!timed.passes.prepare)
      require(gpu_->run([&](VkCommandBuffer into) {
                    record(into, timed.crowd, timed.camera, timed.image, {true, false});
                  })
                  .has_value(),
              "the crowd is not prepared");
    measurements.emplace_back([this, &commands, &timed] {
      const double seconds = seconds_of([&] {
        require(commands.begin().has_value(), "no commands");
        for (int i = 0; i < timed.repeats; ++i) {
          record(commands.buffer(), timed.crowd, timed.camera, timed.image, timed.passes);
          timed.image.now += kTicksPerSecond / 60;
        }
        require(commands.submit_and_wait().has_value(), "the image was not drawn");
      });
      timed.counts = timed.crowd.far_counts();
      return seconds / timed.repeats;
    });
  }
  return medians_in_turn(effort.settle, effort.runs, measurements);
}

double BenchTargets::covered(CharacterRenderer& crowd, const Camera& camera, RendererImage image) {
  require(gpu_->run([&](VkCommandBuffer commands) {
                record(commands, crowd, camera, image, {});
                image_barrier(*gpu_, commands,
                              {colour_.get(), VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
                              {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
                              {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT});
                VkBufferImageCopy region{};
                region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
                region.imageExtent = {width_, height_, 1};
                gpu_->vk().vkCmdCopyImageToBuffer(commands, colour_.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                                  readback_.get(), 1, &region);
                memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                               {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
              })
              .has_value(),
          "the picture was not drawn");
  std::size_t lit = 0;
  const std::size_t pixels = std::size_t{width_} * height_;
  for (std::size_t i = 0; i < pixels; ++i)
    lit += readback_.mapped()[i * 4] != std::byte{0} || readback_.mapped()[i * 4 + 2] != std::byte{0} ? 1 : 0;
  return static_cast<double>(lit) / static_cast<double>(pixels);
}

}  // namespace throng::bench
