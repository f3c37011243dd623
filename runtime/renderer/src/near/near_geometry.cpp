// SPDX-License-Identifier: Apache-2.0
#include "near/near_geometry.h"

#include <algorithm>

#include "throng/base/try.h"
#include "throng/gpu/commands.h"

namespace throng::detail::renderer {
namespace {

// The arrays stand in the order of the buffers they go to.
std::array<std::span<const std::byte>, 8> bytes_of(const PlacedMesh& mesh) {
  return {std::as_bytes(std::span(mesh.vertices)),     std::as_bytes(std::span(mesh.extra_influences)),
          std::as_bytes(std::span(mesh.morph_firsts)), std::as_bytes(std::span(mesh.deltas)),
          std::as_bytes(std::span(mesh.chunks)),       std::as_bytes(std::span(mesh.columns)),
          std::as_bytes(std::span(mesh.bindings)),     std::as_bytes(std::span(mesh.surfaces))};
}

constexpr std::array kWords{"vertices",           "influences", "morphed vertices", "morph targets",
                            "chunks of vertices", "columns",    "bindings",         "surfaces"};

MeshTotals sum(const MeshTotals& a, const MeshTotals& b) {
  return {a.vertices + b.vertices,
          a.extra_influences + b.extra_influences,
          a.morph_firsts + b.morph_firsts,
          a.deltas + b.deltas,
          a.chunks + b.chunks,
          a.columns + b.columns,
          a.bindings + b.bindings};
}

Result<Buffer> staging_of(GpuDevice& gpu, const PlacedMesh& mesh) {
  VkDeviceSize bytes = 16;
  for (const auto array : bytes_of(mesh)) bytes += array.size();
  THRONG_TRY(Buffer buffer, Buffer::create(gpu, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::upload));
  std::byte* to = buffer.mapped();
  for (const auto array : bytes_of(mesh)) to = std::ranges::copy(array, to).out;
  return buffer;
}

}  // namespace

std::vector<BindingSpec> skin_bindings() {
  return std::vector<BindingSpec>(static_cast<std::size_t>(SkinBinding::count),
                                  {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT});
}

std::vector<BindingSpec> near_bindings() {
  return std::vector<BindingSpec>(static_cast<std::size_t>(NearBinding::count),
                                  {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_VERTEX_BIT});
}

Result<NearGeometry> NearGeometry::with(GpuDevice& gpu, const PlacedMesh& mesh) const {
  const auto more = bytes_of(mesh);
  NearGeometry made;
  made.totals_ = sum(totals_, totals_of(mesh));
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    made.bytes_[i] = bytes_[i] + more[i].size();
    if (made.bytes_[i] > gpu.limits().maxStorageBufferRange)
      return fail("the {} of all near meshes take {} bytes but this device binds {} at most; add fewer models",
                  kWords[i], made.bytes_[i], gpu.limits().maxStorageBufferRange);
    THRONG_TRY(made.buffers_[i],
               Buffer::create(gpu, std::max<VkDeviceSize>(made.bytes_[i], 16), kUsage, MemoryUse::device));
  }
  THRONG_TRY(const Buffer staging, staging_of(gpu, mesh));
  THRONG_CHECK(gpu.run([&](VkCommandBuffer commands) {
    VkDeviceSize from = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const VkBufferCopy old{0, 0, bytes_[i]};
      const VkBufferCopy added{from, bytes_[i], more[i].size()};
      if (old.size > 0) gpu.vk().vkCmdCopyBuffer(commands, buffers_[i].get(), made.buffers_[i].get(), 1, &old);
      if (added.size > 0) gpu.vk().vkCmdCopyBuffer(commands, staging.get(), made.buffers_[i].get(), 1, &added);
      from += more[i].size();
    }
    memory_barrier(gpu, commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT});
  }));
  return made;
}

void NearGeometry::bind(const DescriptorSets& skinning, const DescriptorSets& drawing) const {
  for (std::uint32_t i = 0; i < kSurfaces; ++i) skinning.write_buffer(0, i, buffers_[i]);
  drawing.write_buffer(0, static_cast<std::uint32_t>(NearBinding::surfaces), buffers_[kSurfaces]);
}

}  // namespace throng::detail::renderer
