// SPDX-License-Identifier: Apache-2.0
#pragma once
// The images a scene is drawn into, and beginning and ending to draw into them.

#include "throng/gpu/commands.h"
#include "throng/gpu/resources.h"
#include "throng/renderer/character_renderer.h"
#include "throng/scene/scene_renderer.h"

namespace throng::detail::scene {

class SceneTargets {
 public:
  SceneTargets() = default;
  // Refused in words: sizes and sample counts the device cannot do.
  static Result<SceneTargets> create(GpuDevice& gpu, const SceneSettings& settings);

  // What the shadow passes write, for the colour pass.
  ShadowMaps shadow_maps() const { return {cascades_.view(), contact_map_.view()}; }
  VkSampleCountFlagBits samples() const { return depth_.shape().samples; }
  const ImageResource& depth() const { return depth_; }

  // Around all shadow passes of a picture. The maps end readable by fragment shaders.
  void begin_shadows(const GpuDevice& gpu, VkCommandBuffer commands) const;
  void end_shadows(const GpuDevice& gpu, VkCommandBuffer commands) const;
  // Around one of them.
  void begin_cascade(const GpuDevice& gpu, VkCommandBuffer commands, std::uint32_t cascade) const;
  void begin_contact(const GpuDevice& gpu, VkCommandBuffer commands) const;
  void end_map(const GpuDevice& gpu, VkCommandBuffer commands) const;

  void begin_colour(const GpuDevice& gpu, VkCommandBuffer commands) const;
  // Its depth ends readable by compute shaders where SceneSettings::occlusion asks for it.
  void end_colour(const GpuDevice& gpu, VkCommandBuffer commands) const;

  // Copies the finished picture to where the host reads it, after end_colour.
  void copy_to_host(const GpuDevice& gpu, VkCommandBuffer commands) const;
  // With whatever is in its alpha.
  Image picture() const;

 private:
  Result<void> create_cascades(GpuDevice& gpu, const SceneSettings& settings);

  ImageResource multisampled_;  // none with one sample
  ImageResource colour_;
  ImageResource depth_;
  bool keeps_depth_ = false;
  ImageResource cascades_;  // an array
  std::vector<VkOwned<VkImageView>> cascade_layers_;
  ImageResource contact_map_;  // no image when there is none
  Buffer readback_;
};

}  // namespace throng::detail::scene
