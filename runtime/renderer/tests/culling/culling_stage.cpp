// SPDX-License-Identifier: Apache-2.0
#include "culling/culling_stage.h"

#include <gtest/gtest.h>

#include "throng/gpu/commands.h"

namespace throng::test {

using namespace detail::renderer;

CullingStage::CullingStage(const VulkanContext& context, const Character& model, bool motion,
                           const LevelQuality& quality, std::optional<bool> spheres)
    : gpu_(GpuDevice::create(context).value()), images_(SharedImages::create(*gpu_, 1, 1).value()) {
  FarPipelineSettings settings{.pooled = false, .motion = motion, .spheres = spheres};
  settings.qualities.fill(quality);
  far_ = FarPipeline::create(gpu_, images_, settings).value();
  const auto added = far_->add(model, draw_table_of(model, nullptr));
  EXPECT_TRUE(added) << added.error().message;
  levels_ = mesh_level_count(model) + 1;
}

Seen CullingStage::look(const Cast& cast, Ticks now, std::span<const glm::mat4> views) {
  Seen seen{std::vector<bool>(cast.size(), false), std::vector<std::uint32_t>(views.size(), 0)};
  const auto set = far_->set_instances(0, cast.instances, cast.plays);
  EXPECT_TRUE(set) << set.error().message;
  RendererImage image;
  image.now = now;
  image.clip_from_world = views[0];
  image.shadows = views.subspan(1);
  image.speck_pixels = 0.0f;
  const VkDeviceSize bytes = cast.size() * sizeof(gpu::DrawnWords);
  const Buffer drawn = Buffer::create(*gpu_, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback).value();
  images_.ring.release_finished();
  const auto done = gpu_->run([&](VkCommandBuffer commands) {
    EXPECT_TRUE(far_->make_room(image));
    EXPECT_TRUE(far_->record_upload(commands, image, {}));
    far_->record_plan(commands, image);
    far_->finish(commands);
    const VkBufferCopy all{0, 0, bytes};
    gpu_->vk().vkCmdCopyBuffer(commands, far_->drawn(0).get(), drawn.get(), 1, &all);
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
  EXPECT_TRUE(done) << done.error().message;
  images_.ring.advance();
  const gpu::PlanRecord& plan = *far_->plan(0);
  const auto* words = reinterpret_cast<const gpu::DrawnWords*>(drawn.mapped());
  for (std::uint32_t i = 0; i < plan.drawn_count; ++i) seen.drawn[words[i].instance] = true;
  for (std::uint32_t view = 0; view < views.size(); ++view)
    for (std::uint32_t level = 0; level < levels_; ++level)
      seen.in_view[view] += plan.totals[(view + 1) * gpu::kMostLevels + level];
  return seen;
}

}  // namespace throng::test
