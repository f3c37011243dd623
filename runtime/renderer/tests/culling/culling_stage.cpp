// SPDX-License-Identifier: Apache-2.0
#include "culling/culling_stage.h"

#include <gtest/gtest.h>

#include "throng/gpu/commands.h"
#include "throng/plan/model_record.h"

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

GpuPlan CullingStage::plan(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays,
                           const RendererImage& image) {
  const auto set = far_->set_instances(0, instances, plays);
  EXPECT_TRUE(set) << set.error().message;
  std::optional<Buffer> copied;
  images_.ring.release_finished();
  const auto done = gpu_->run([&](VkCommandBuffer commands) {
    EXPECT_TRUE(far_->make_room(image));
    EXPECT_TRUE(far_->record_upload(commands, image, {}));
    far_->record_plan(commands, image);
    far_->finish(commands);
    const Buffer& drawn = far_->drawn(0);
    copied = Buffer::create(*gpu_, drawn.size(), VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback).value();
    const VkBufferCopy all{0, 0, drawn.size()};
    gpu_->vk().vkCmdCopyBuffer(commands, drawn.get(), copied->get(), 1, &all);
    memory_barrier(*gpu_, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
  EXPECT_TRUE(done) << done.error().message;
  images_.ring.advance();
  GpuPlan plan{.record = *far_->plan(0), .drawn = {}, .fading = {}, .counts = far_->counts()};
  // Of three texels a character there is room for, the last third is of those that fade (drawn_list.glsl).
  const auto* words = reinterpret_cast<const gpu::DrawnWords*>(copied->mapped());
  const std::size_t room = copied->size() / (sizeof(gpu::DrawnWords) + sizeof(gpu::FadingWords));
  const auto* fading = reinterpret_cast<const gpu::FadingWords*>(copied->mapped() + room * sizeof(gpu::DrawnWords));
  plan.drawn.assign(words, words + plan.record.drawn_count);
  plan.fading.assign(fading, fading + plan.record.drawn_count);
  return plan;
}

Seen CullingStage::look(const Cast& cast, Ticks now, std::span<const glm::mat4> views) {
  Seen seen{std::vector<bool>(cast.size(), false), std::vector<std::uint32_t>(views.size(), 0)};
  RendererImage image;
  image.now = now;
  image.clip_from_world = views[0];
  image.shadows = views.subspan(1);
  image.speck_pixels = 0.0f;
  const GpuPlan planned = plan(cast.instances, cast.plays, image);
  for (const gpu::DrawnWords& words : planned.drawn) seen.drawn[words.instance] = true;
  for (std::uint32_t view = 0; view < views.size(); ++view)
    for (std::uint32_t level = 0; level < levels_; ++level)
      seen.in_view[view] += planned.record.totals[(view + 1) * gpu::kMostLevels + level];
  return seen;
}

}  // namespace throng::test
