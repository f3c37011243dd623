// SPDX-License-Identifier: Apache-2.0
#pragma once
// The meshes of all models of a SkinnedRenderer in GPU memory, one after another in shared buffers: what one dispatch
// and one draw reach without rebinding.

#include "near/skinned_mesh.h"
#include "throng/gpu/descriptors.h"

namespace throng::detail::renderer {

// Bindings of set 0 of skinned.comp.
enum class SkinBinding : std::uint8_t {
  vertices,
  more,
  morph_firsts,
  deltas,
  chunks,
  columns,
  bindings,
  characters,
  bones,
  weights,
  bound_bones,
  slots,
  groups,
  pool,
  pool_tangents,
  count
};

// … of set 1 of the passes that draw: skinned_drawn.glsl, skinned.vert.
enum class DrawBinding : std::uint8_t { characters, slots, surfaces, pool, pool_tangents, last_pool, view, count };

std::vector<BindingSpec> skin_bindings();
std::vector<BindingSpec> draw_bindings();

class SkinnedGeometry {
 public:
  SkinnedGeometry() = default;

  // What there is, and the meshes of one more model, packed to follow it. This one stays as it is. Waits for the queue.
  // Refused in words: more than the device binds.
  Result<SkinnedGeometry> with(GpuDevice& gpu, const SkinnedMeshes& meshes) const;

  const SkinnedTotals& totals() const { return totals_; }
  void bind(const DescriptorSets& skinning, const DescriptorSets& drawing) const;
  const Buffer& indices() const { return buffers_[kIndices]; }

 private:
  static constexpr std::size_t kSurfaces = 7;
  static constexpr std::size_t kIndices = 8;

  std::array<Buffer, 9> buffers_;  // those of SkinBinding, from its first on; surfaces; indices
  std::array<VkDeviceSize, 9> bytes_{};
  SkinnedTotals totals_;
};

}  // namespace throng::detail::renderer
