// SPDX-License-Identifier: Apache-2.0
#pragma once
// Descriptor sets: what they are made of, where they come from, how they are filled.

#include <array>
#include <vector>

#include "throng/gpu/resources.h"

namespace throng {

// Binding i of a set is the i-th of these.
struct BindingSpec {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  VkShaderStageFlags stages = 0;
};

// Bytes of a buffer.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
  VkDeviceSize bytes = VK_WHOLE_SIZE;
};

// A layout and a fixed number of sets of it.
class DescriptorSets {
 public:
  DescriptorSets() = default;
  // `count` sets of these bindings, each to be written before it is bound.
  static Result<DescriptorSets> create(const GpuDevice& gpu, std::span<const BindingSpec> bindings,
                                       std::uint32_t count);

  VkDescriptorSetLayout layout() const { return layout_; }  // the layout of every set, for pipelines
  VkDescriptorSet operator[](std::size_t i) const { return sets_[i]; }
  std::size_t size() const { return sets_.size(); }  // how many sets there are

  // Puts a buffer, or a range of one, at a binding of a set; no pending work may use the set.
  void write_buffer(std::size_t set, std::uint32_t binding, const Buffer& buffer) const;
  void write_buffer(std::size_t set, std::uint32_t binding, const BufferRange& range) const;
  // Puts an image with its sampler at a binding of a set; no pending work may use the set.
  void write_image(std::size_t set, std::uint32_t binding, VkImageView view, VkSampler sampler,
                   VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL) const;

  // Puts a view of a buffer's texels at a binding of a set; no pending work may use the set.
  void write_texels(std::size_t set, std::uint32_t binding, VkBufferView view) const;

 private:
  void write(std::size_t set, std::uint32_t binding, const VkDescriptorBufferInfo* buffer,
             const VkDescriptorImageInfo* image, const VkBufferView* texels = nullptr) const;

  const GpuDevice* gpu_ = nullptr;
  std::vector<BindingSpec> bindings_;
  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;  // the store's
  VkOwned<VkDescriptorPool> pool_;
  std::vector<VkDescriptorSet> sets_;
};

}  // namespace throng
