// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is drawn of the far characters of a model, asked of the passes that plan an image: no picture is drawn, and
// nobody is skinned.

#include <optional>

#include "far/far_pipeline.h"
#include "test_models.h"

namespace throng::test {

// What the passes wrote down of one image.
struct GpuPlan {
  gpu::PlanRecord record{};
  std::vector<gpu::DrawnWords> drawn;
  std::vector<gpu::FadingWords> fading;  // of each of them; of those that fade, it means something
  CrowdCounts counts;
};

// What became of the characters of one image.
struct Seen {
  std::vector<bool> drawn;             // of each: whether any view shows it
  std::vector<std::uint32_t> in_view;  // how many: the picture's, then those of shadows
};

class CullingStage {
 public:
  // `motion`: as where motion vectors are drawn. `spheres`: as FarPipelineSettings has it.
  CullingStage(const VulkanContext& context, const Character& model, bool motion = false,
               const LevelQuality& quality = {}, std::optional<bool> spheres = {});

  // Plans an image of these characters.
  GpuPlan plan(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays,
               const RendererImage& image);
  // The first of the views is the picture's.
  Seen look(const Cast& cast, Ticks now, std::span<const glm::mat4> views);
  Bounds bounds() const { return far_->bounds(); }  // of those who were looked at last

 private:
  std::shared_ptr<GpuDevice> gpu_;
  detail::renderer::SharedImages images_;
  std::optional<detail::renderer::FarPipeline> far_;
  std::uint32_t levels_ = 0;
};

}  // namespace throng::test
