// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the sockets of a model's characters are (shaders/sockets.comp).

#include "far/crowd_pipeline.h"
#include "throng/shaders/shared/sockets.h"

namespace throng::detail::renderer {

class SocketPass {
 public:
  SocketPass() = default;
  // For model `model` of the crowd pipeline. One without sockets has nothing to record.
  static Result<SocketPass> create(GpuDevice& gpu, const Character& baked, const CrowdPipeline& crowd,
                                   std::uint32_t model);

  Result<SocketBuffer> record(GpuDevice& gpu, VkCommandBuffer commands, CrowdPipeline& crowd, std::uint32_t model,
                              Ticks now);

 private:
  Result<void> make_room(GpuDevice& gpu, FrameRing& ring, std::uint32_t characters);

  std::uint32_t count_ = 0;
  Buffer sockets_;
  Buffer places_;
  DescriptorSets sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace throng::detail::renderer
