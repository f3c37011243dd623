// SPDX-License-Identifier: Apache-2.0
#pragma once
// The textures of a model's materials, one set (set 2 of the passes that draw) per material.

#include <span>

#include "throng/character/image.h"
#include "throng/character/material.h"
#include "throng/gpu/descriptors.h"

namespace throng::detail::renderer {

class Materials {
 public:
  Materials() = default;
  // `picture_budget`: as ModelSettings has it. The error names the material and the image.
  static Result<Materials> create(GpuDevice& gpu, std::span<const Material> materials,
                                  std::span<const ImageSource> images, std::uint64_t picture_budget = 0);
  static std::vector<BindingSpec> bindings();

  VkDescriptorSetLayout set_layout() const { return sets_.layout(); }
  VkDescriptorSet set(std::size_t material) const { return sets_[material]; }

 private:
  class Textures;
  Result<void> add(GpuDevice& gpu, const Material& material, std::size_t index, Textures& textures);

  std::vector<ImageResource> textures_;
  std::vector<VkOwned<VkSampler>> samplers_;
  DescriptorSets sets_;
};

}  // namespace throng::detail::renderer
