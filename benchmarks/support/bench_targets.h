// SPDX-License-Identifier: Apache-2.0
#pragma once
// A place to draw crowds in without reading anything back: targets of a size, and images timed on the host's clock
// around a fence.

#include "gpu/target_images.h"
#include "measure.h"

namespace throng::bench {

class BenchTargets {
 public:
  BenchTargets(const VulkanContext& context, std::uint32_t width, std::uint32_t height);

  static RendererTargets targets();

  struct Passes {
    bool prepare = true;  // who is seen, how finely, and their vertices
    bool draw = true;     // the lit crowd
    bool hide = false;    // leaves out who stood behind others in the image before, and keeps depth for the next
  };

  // What is timed: images of a crowd, `repeats` of them in a command buffer.
  struct Case {
    CharacterRenderer& crowd;
    Camera camera;
    RendererImage image;
    Passes passes = {};
    int repeats = 1;
    CrowdCounts counts = {};  // out: of the last image
  };

  // How long to let the clocks settle, and how many times to measure.
  struct Effort {
    double settle = 1.0;
    int runs = 7;
  };

  // Seconds of an image of a case, once.
  double image_seconds(Case& one);

  // Median seconds of an image of each case. The cases take turns.
  std::vector<double> seconds(std::span<Case> cases, const Effort& effort);
  double seconds(Case& one, const Effort& effort) { return seconds(std::span(&one, 1), effort)[0]; }

  // What a case looks like.
  Image picture(CharacterRenderer& crowd, const Camera& camera, RendererImage image);

  // The share of pixels that the crowd covers.
  double covered(CharacterRenderer& crowd, const Camera& camera, RendererImage image);

  // What seconds() and covered() ask the crowd for, before culling and detail are set.
  RendererImage image_of(const Camera& camera, Ticks now) const;

 private:
  void record(VkCommandBuffer commands, CharacterRenderer& crowd, const Camera& camera, RendererImage image,
              Passes passes);

  std::shared_ptr<GpuDevice> gpu_;
  test::TargetImages images_;
  Buffer readback_;
  DepthPyramid pyramid_;
  CommandRecorder commands_;
};

}  // namespace throng::bench
