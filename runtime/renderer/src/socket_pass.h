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

  // Of every character, at `now`.
  Result<SocketBuffer> record(GpuDevice& gpu, VkCommandBuffer commands, CrowdPipeline& crowd, std::uint32_t model,
                              Ticks now);

 private:
  std::uint32_t count_ = 0;
  Buffer sockets_;
  Buffer places_;
  bool bound_ = false;  // the sets hold the buffer there is
  DescriptorSets sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

// … and of those characters that an image draws with triangles, in the poses that it draws (shaders/prop_places.comp):
// what props hang on. With motion vectors each place is followed by where it was in the last image.
class DrawnSocketPass {
 public:
  DrawnSocketPass() = default;
  static Result<DrawnSocketPass> create(GpuDevice& gpu, const Character& baked, const CrowdPipeline& crowd,
                                        std::uint32_t model);

  // After the crowd pipeline recorded an image. Nothing where the model has no characters; the buffer is the same until
  // there are more of them than it holds.
  Result<VkBuffer> record(GpuDevice& gpu, VkCommandBuffer commands, CrowdPipeline& crowd, std::uint32_t model);

 private:
  std::uint32_t count_ = 0;
  std::uint32_t places_each_ = 1;  // of a socket
  Buffer sockets_;
  Buffer places_;
  VkBuffer bound_plans_ = VK_NULL_HANDLE;
  DescriptorSets sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace throng::detail::renderer
