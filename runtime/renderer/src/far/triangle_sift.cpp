// SPDX-License-Identifier: Apache-2.0
#include "far/triangle_sift.h"

#include <algorithm>
#include <array>
#include <bit>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"

namespace throng::detail::renderer {
namespace {

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
// Beyond that a crowd is drawn as it is: 256 MiB of indices, of which only those that are written take memory.
constexpr std::uint64_t kMostIndices = std::uint64_t{1} << 26;

std::array<BindingSpec, 7> bindings() {
  constexpr BindingSpec kTexels{VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kCompute};
  constexpr BindingSpec kStorage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kCompute};
  return {kTexels, kTexels, kStorage, kStorage, kStorage, kStorage, kStorage};
}

std::uint32_t most_indices(const DrawTable& table, std::size_t draw) {
  std::uint32_t most = 0;
  for (std::size_t level = 0; level < gpu::kMostMeshLevels; ++level)
    most = std::max(most, table.ranges[draw * gpu::kMostMeshLevels + level].index_count);
  return most;
}

}  // namespace

Result<TriangleSift> TriangleSift::create(const GpuDevice& gpu, const FarPrograms& programs,
                                          const DrawTable& draw_table, const Description& description) {
  TriangleSift made;
  made.one_sided_.assign(description.one_sided.begin(), description.one_sided.end());
  std::uint32_t first = 0;
  for (std::size_t draw = 0; draw < draw_table.materials.size(); ++draw) {
    made.first_indices_.push_back(first);
    first += most_indices(draw_table, draw);
  }
  made.first_indices_.push_back(first);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(std::max(description.vertices, 2u) - 1));
  if (bits + std::bit_width(gpu::kSiftTogether - 1) > 32) return TriangleSift();
  THRONG_TRY(made.triangle_texels_, create_texel_view(gpu, *description.triangles, VK_FORMAT_R32_UINT));
  THRONG_TRY(made.set_, DescriptorSets::create(gpu, bindings(), 0));
  const std::array layouts{programs.plan_layout.layout(), made.set_.layout()};
  THRONG_TRY(made.layout_, pipeline_layout(gpu, layouts, kCompute, sizeof(gpu::SiftBatch)));
  const std::array constants{bits, description.samples};
  THRONG_TRY(made.pipeline_, compute_pipeline(gpu, made.layout_, shader_code::sift_compute(), constants));
  made.bits_ = bits;
  return made;
}

bool TriangleSift::has_room(std::uint32_t characters) const {
  return bits_ > 0 && std::uint64_t{characters} * first_indices_.back() <= kMostIndices;
}

// At most one of each level is not full.
std::uint32_t TriangleSift::groups(std::uint32_t characters) const {
  return characters / gpu::kSiftTogether + gpu::kMostMeshLevels;
}

Result<void> TriangleSift::make_room(GpuDevice& gpu, SharedImages& images, const FarBuffers& buffers) {
  const std::uint32_t characters = buffers.capacity;
  const bool larger = characters > room_ || indices_.size() == 0;
  if (!larger && is_bound_) return {};
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  constexpr VkBufferUsageFlags kIndirect = kStorage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (larger) {
    const VkDeviceSize bytes = VkDeviceSize{characters} * first_indices_.back() * sizeof(std::uint32_t);
    const VkDeviceSize command_bytes =
        VkDeviceSize{groups(characters)} * one_sided_.size() * sizeof(gpu::CommandRecord);
    THRONG_TRY(auto indices,
               create_bindable_buffer(gpu, bytes, kStorage | VK_BUFFER_USAGE_INDEX_BUFFER_BIT, MemoryUse::device));
    THRONG_TRY(auto commands, create_bindable_buffer(gpu, command_bytes, kIndirect, MemoryUse::device));
    THRONG_TRY(auto counts,
               create_bindable_buffer(gpu, one_sided_.size() * sizeof(std::uint32_t), kIndirect, MemoryUse::device));
    images.ring.retire(std::exchange(indices_, std::move(indices)));
    images.ring.retire(std::exchange(commands_, std::move(commands)));
    images.ring.retire(std::exchange(counts_, std::move(counts)));
    room_ = characters;
  }
  THRONG_TRY(auto pool_texels, create_texel_view(gpu, images.pool.vertices(), VK_FORMAT_R32G32B32A32_UINT));
  THRONG_TRY(auto set, DescriptorSets::create(gpu, bindings(), 1));
  set.write_texels(0, 0, triangle_texels_.get());
  set.write_texels(0, 1, pool_texels.get());
  set.write_buffer(0, 2, buffers.drawn);
  set.write_buffer(0, 3, buffers.view_lists);
  set.write_buffer(0, 4, indices_);
  set.write_buffer(0, 5, commands_);
  set.write_buffer(0, 6, counts_);
  images.ring.retire(std::exchange(pool_texels_, std::move(pool_texels)));
  images.ring.retire(std::exchange(set_, std::move(set)));
  is_bound_ = true;
  return {};
}

void TriangleSift::record(const GpuDevice& gpu, VkCommandBuffer commands, const Image& image) const {
  const VolkDeviceTable& vk = gpu.vk();
  const std::array sets{image.plan_set, set_[0]};
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, sets.size(), sets.data(), 0,
                             nullptr);
  for (std::uint32_t draw = 0; draw < one_sided_.size(); ++draw) {
    gpu::SiftBatch batch{};
    batch.clip_from_world = image.clip_from_world;
    batch.size = image.size;
    batch.model = image.model;
    batch.draw = draw;
    batch.first_index = room_ * first_indices_[draw];
    batch.first_command = groups(room_) * draw;
    batch.one_sided = one_sided_[draw];
    vk.vkCmdPushConstants(commands, layout_, kCompute, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(commands, groups(image.characters), 1, 1);
  }
}

void TriangleSift::draw(const GpuDevice& gpu, VkCommandBuffer commands, std::uint32_t draw) const {
  const VolkDeviceTable& vk = gpu.vk();
  constexpr std::uint32_t kStride = sizeof(gpu::CommandRecord);
  vk.vkCmdBindIndexBuffer(commands, indices_.get(), 0, VK_INDEX_TYPE_UINT32);
  vk.vkCmdDrawIndexedIndirectCount(commands, commands_.get(), VkDeviceSize{groups(room_)} * draw * kStride,
                                   counts_.get(), draw * sizeof(std::uint32_t), groups(room_), kStride);
}

}  // namespace throng::detail::renderer
