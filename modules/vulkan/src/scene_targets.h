#pragma once
// The images a scene is drawn into, and beginning and ending to draw into them.

#include "commands.h"
#include "resources.h"
#include "throng/vulkan/scene_renderer.h"

namespace throng {

class SceneTargets {
 public:
  SceneTargets() = default;
  // Refused in words: sizes and sample counts the device cannot do.
  static Result<SceneTargets> create(Gpu& gpu, const SceneSettings& settings);

  const ImageResource& sun_map() const { return sun_map_; }
  const ImageResource& near_map() const { return near_map_; }
  const ImageResource& contact_map() const { return contact_map_; }  // no image when there is none
  VkSampleCountFlagBits samples() const { return depth_.shape().samples; }

  // Around drawing into a shadow map, which ends readable by fragment shaders.
  void begin_map(const Gpu& gpu, VkCommandBuffer commands, const ImageResource& map) const;
  void end_map(const Gpu& gpu, VkCommandBuffer commands, const ImageResource& map) const;

  void begin_colour(const Gpu& gpu, VkCommandBuffer commands) const;
  void end_colour(const Gpu& gpu, VkCommandBuffer commands) const;

  // Copies the finished picture to where the host reads it, after end_colour.
  void copy_to_host(const Gpu& gpu, VkCommandBuffer commands) const;
  Image picture() const;

 private:
  ImageResource multisampled_;  // none with one sample
  ImageResource colour_;
  ImageResource depth_;
  ImageResource sun_map_;
  ImageResource near_map_;
  ImageResource contact_map_;
  Buffer readback_;
};

}  // namespace throng
