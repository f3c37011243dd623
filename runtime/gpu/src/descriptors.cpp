// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/descriptors.h"
#include "throng/base/try.h"

namespace throng {
namespace {

Result<VkDescriptorSetLayout> create_layout(const GpuDevice& gpu, std::span<const BindingSpec> specs) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const BindingSpec& spec : specs) {
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = static_cast<std::uint32_t>(bindings.size());
    binding.descriptorType = spec.type;
    binding.descriptorCount = 1;
    binding.stageFlags = spec.stages;
    bindings.push_back(binding);
  }
  VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<std::uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateDescriptorSetLayout(gpu.device(), &info, nullptr, &layout),
                     "create a descriptor set layout"));
  return layout;
}

Result<VkDescriptorSetLayout> layout_of(const GpuDevice& gpu, std::span<const BindingSpec> specs) {
  PipelineStore::Key key;
  for (const BindingSpec& spec : specs) key.insert(key.end(), {std::uint64_t{spec.type}, spec.stages});
  return gpu.pipelines().set_layout(key, [&] { return create_layout(gpu, specs); });
}

Result<VkOwned<VkDescriptorPool>> create_pool(const GpuDevice& gpu, std::span<const BindingSpec> specs,
                                              std::uint32_t count) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const BindingSpec& spec : specs) sizes.push_back({spec.type, count});
  VkDescriptorPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = count;
  info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  THRONG_CHECK(check(gpu.vk().vkCreateDescriptorPool(gpu.device(), &info, nullptr, &pool), "create a descriptor pool"));
  return VkOwned<VkDescriptorPool>(gpu, pool, [](const GpuDevice& g, VkDescriptorPool p) {
    g.vk().vkDestroyDescriptorPool(g.device(), p, nullptr);
  });
}

}  // namespace

Result<DescriptorSets> DescriptorSets::create(const GpuDevice& gpu, std::span<const BindingSpec> bindings,
                                              std::uint32_t count) {
  DescriptorSets sets;
  sets.gpu_ = &gpu;
  sets.bindings_.assign(bindings.begin(), bindings.end());
  THRONG_TRY(sets.layout_, layout_of(gpu, bindings));
  if (count == 0) return sets;
  THRONG_TRY(sets.pool_, create_pool(gpu, bindings, count));

  const std::vector<VkDescriptorSetLayout> layouts(count, sets.layout_);
  VkDescriptorSetAllocateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = sets.pool_.get();
  info.descriptorSetCount = count;
  info.pSetLayouts = layouts.data();
  sets.sets_.resize(count);
  THRONG_CHECK(
      check(gpu.vk().vkAllocateDescriptorSets(gpu.device(), &info, sets.sets_.data()), "allocate descriptor sets"));
  return sets;
}

void DescriptorSets::write(std::size_t set, std::uint32_t binding, const VkDescriptorBufferInfo* buffer,
                           const VkDescriptorImageInfo* image, const VkBufferView* texels) const {
  VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = sets_[set];
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = bindings_[binding].type;
  write.pBufferInfo = buffer;
  write.pImageInfo = image;
  write.pTexelBufferView = texels;
  gpu_->vk().vkUpdateDescriptorSets(gpu_->device(), 1, &write, 0, nullptr);
}

void DescriptorSets::write_buffer(std::size_t set, std::uint32_t binding, const Buffer& buffer) const {
  write_buffer(set, binding, BufferRange{buffer.get()});
}

void DescriptorSets::write_buffer(std::size_t set, std::uint32_t binding, const BufferRange& range) const {
  const VkDescriptorBufferInfo info{range.buffer, range.offset, range.bytes};
  write(set, binding, &info, nullptr);
}

void DescriptorSets::write_image(std::size_t set, std::uint32_t binding, VkImageView view, VkSampler sampler,
                                 VkImageLayout layout) const {
  const VkDescriptorImageInfo info{sampler, view, layout};
  write(set, binding, nullptr, &info);
}

void DescriptorSets::write_texels(std::size_t set, std::uint32_t binding, VkBufferView view) const {
  write(set, binding, nullptr, nullptr, &view);
}

}  // namespace throng
