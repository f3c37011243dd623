#pragma once
// A place to draw crowds in without reading anything back: targets of a size, and images timed on the host's clock
// around a fence.

#include "measure.h"
#include "scene_view.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/crowd_renderer.h"
#include "throng/renderer/depth_pyramid.h"

namespace throng::bench {

class Arena {
 public:
  Arena(const VulkanContext& context, std::uint32_t width, std::uint32_t height);

  static CrowdTargets targets();

  // Median seconds of one of `repeats` images in a command buffer, after a warm-up.
  struct Passes {
    bool prepare = true;  // who is seen, how finely, and their vertices
    bool draw = true;     // the lit crowd
    bool hide = false;    // leaves out who stood behind others in the image before, and keeps depth for the next
  };
  double seconds(CrowdRenderer& crowd, const Camera& camera, CrowdImage image, Passes passes, int repeats, int runs);

  // The share of pixels that the crowd covers.
  double covered(CrowdRenderer& crowd, const Camera& camera, CrowdImage image);

  // What seconds() and covered() ask the crowd for, before culling and detail are set.
  CrowdImage image_of(const Camera& camera, Ticks now) const;

 private:
  void record(VkCommandBuffer commands, CrowdRenderer& crowd, const Camera& camera, CrowdImage image, Passes passes);
  void keep_depth(VkCommandBuffer commands, const glm::mat4& clip_from_world);

  std::shared_ptr<Gpu> gpu_;
  std::uint32_t width_;
  std::uint32_t height_;
  ImageResource colour_;
  ImageResource depth_;
  Buffer readback_;
  DepthPyramid pyramid_;
};

}  // namespace throng::bench
