// SPDX-License-Identifier: Apache-2.0
#pragma once
// View, light and shadow maps as the shaders bind them (set 0 of shading.glsl), for several pictures in flight.

#include "throng/gpu/descriptors.h"
#include "throng/renderer/renderer_settings.h"
#include "throng/shaders/shared/scene.h"

namespace throng {

class SceneBindings {
 public:
  SceneBindings() = default;
  // Sets for as many images as may be in flight.
  static Result<SceneBindings> create(GpuDevice& gpu, std::uint32_t images_in_flight);

  VkDescriptorSetLayout set_layout() const { return sets_.layout(); }  // the layout of set 0, for pipelines

  // Fills the next set of the ring; the picture that used it last must be finished.
  VkDescriptorSet next(const gpu::SceneUniforms& scene, const ShadowMaps& shadows);
  // The last set is free again: what it was for is never submitted.
  void back() { next_ = (next_ + sets_.size() - 1) % sets_.size(); }

 private:
  std::vector<Buffer> uniforms_;
  ImageResource no_cascades_;  // stand in for shadow maps that are not given; never sampled
  ImageResource no_contact_;
  VkOwned<VkSampler> compare_sampler_;
  VkOwned<VkSampler> depth_sampler_;
  DescriptorSets sets_;
  std::size_t next_ = 0;
};

}  // namespace throng
