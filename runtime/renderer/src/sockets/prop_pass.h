// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a prop at a socket of every drawn character of a model: one indirect draw a pass, as many as the plan says.

#include "far/far_pipeline.h"
#include "surfaces/materials.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/prop.h"

namespace throng::detail::renderer {

class PropPass {
 public:
  PropPass() = default;
  struct Description {
    const PropMesh* mesh = nullptr;
    std::uint32_t model = 0;
    std::uint32_t socket = 0;
    std::uint32_t sockets = 1;  // of a character
  };
  // `scene`: the layout of set 0; `colour`, `shadow`: pipelines as those of characters, without vertex shaders and
  // layout.
  static Result<PropPass> create(GpuDevice& gpu, const Description& description, VkDescriptorSetLayout scene,
                                 const FarPipeline& far, GraphicsPipelineInfo colour, GraphicsPipelineInfo shadow);

  // After the passes of far characters were recorded for an image and the sockets of those it draws were found
  // (DrawnSocketPass).
  Result<void> record_prepare(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring, const FarPipeline& far,
                              const NumberedBuffer& places);
  // Inside rendering; the scene is bound for view 0.
  void record_draw(const GpuDevice& gpu, VkCommandBuffer commands, const FarPipeline& far, std::uint32_t view,
                   const glm::mat4& clip_from_world, VkDescriptorSet scene) const;

 private:
  Result<void> upload(GpuDevice& gpu, const PropMesh& mesh);

  std::uint32_t model_ = 0;
  std::uint32_t index_count_ = 0;
  Materials material_;
  Buffer vertices_;
  Buffer indices_;
  Buffer commands_;  // one a view
  DescriptorSets sets_;
  std::uint64_t bound_places_ = 0;  // the number of what the set holds; 0: nothing
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline colour_ = VK_NULL_HANDLE;
  VkPipeline shadow_ = VK_NULL_HANDLE;
};

}  // namespace throng::detail::renderer
