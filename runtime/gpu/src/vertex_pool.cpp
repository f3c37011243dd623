// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/vertex_pool.h"

#include "throng/base/try.h"

namespace throng {

Result<VertexPool> VertexPool::create(GpuDevice& gpu, std::uint64_t vertices, bool with_tangents) {
  constexpr VkBufferUsageFlags kUsage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  VertexPool pool;
  pool.room_ = vertices;
  pool.with_tangents_ = with_tangents;
  THRONG_TRY(pool.vertices_, create_bindable_buffer(gpu, vertices * kVertexBytes, kUsage, MemoryUse::device));
  const VkDeviceSize tangent_bytes = with_tangents ? vertices * kTangentBytes : 0;
  THRONG_TRY(pool.tangents_, create_bindable_buffer(gpu, tangent_bytes, kUsage, MemoryUse::device));
  return pool;
}

}  // namespace throng
