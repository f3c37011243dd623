// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small compute shader, its buffers in and one out, for tests of the shader library.

#include <array>
#include <vector>

#include "throng/gpu/commands.h"
#include "throng/gpu/descriptors.h"
#include "throng/gpu/device.h"
#include "throng/gpu/pipelines.h"
#include "throng/gpu/upload.h"

namespace throng::test {

class ComputeProgram {
 public:
  // Bindings 0 … inputs − 1 are storage buffers that run() fills, the next is the one it returns, and behind it come so
  // many textures. `constants` specialise the shader.
  ComputeProgram(const VulkanContext& context, std::span<const std::uint32_t> code, std::uint32_t inputs,
                 std::uint32_t images, std::uint32_t push_bytes, std::span<const std::uint32_t> constants = {});

  struct Run {
    std::vector<std::span<const std::byte>> inputs;
    std::span<const std::byte> push;
    std::size_t output_words = 0;
    std::uint32_t groups = 1;
    std::vector<const ImageResource*> images = {};
  };
  std::vector<std::uint32_t> run(const Run& what);

  GpuDevice& gpu() { return *gpu_; }

 private:
  std::shared_ptr<GpuDevice> gpu_;
  std::uint32_t inputs_;
  DescriptorSets sets_;
  VkOwned<VkSampler> sampler_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace throng::test
