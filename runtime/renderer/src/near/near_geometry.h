// SPDX-License-Identifier: Apache-2.0
#pragma once
// The near meshes of all models in GPU memory, one after another in shared buffers: what one dispatch
// and one draw reach without rebinding.

#include "near/placed_mesh.h"
#include "throng/gpu/descriptors.h"

namespace throng::detail::renderer {

// Bindings of set 0 of near_skin.comp.
enum class SkinBinding : std::uint8_t {
  vertices,
  extra_influences,
  morph_firsts,
  deltas,
  chunks,
  columns,
  bindings,
  characters,
  bones,
  weights,
  bound_bones,
  tasks,
  groups,
  pool,
  pool_tangents,
  count
};

// Bindings of set 3 of the passes that draw: drawn_surface.glsl, character.vert.
enum class NearBinding : std::uint8_t { characters, draw_tasks, surfaces, last, count };

std::vector<BindingSpec> skin_bindings();
std::vector<BindingSpec> near_bindings();

class NearGeometry {
 public:
  NearGeometry() = default;

  // What there is, and the near mesh of one more model, placed to follow it. This one stays as it is. Waits for the
  // queue. Refused in words: more than the device binds.
  Result<NearGeometry> with(GpuDevice& gpu, const PlacedMesh& mesh) const;

  const MeshTotals& totals() const { return totals_; }
  void bind(const DescriptorSets& skinning, const DescriptorSets& drawing) const;

 private:
  static constexpr std::size_t kSurfaces = 7;

  std::array<Buffer, 8> buffers_;  // those of SkinBinding, from its first on; surfaces
  std::array<VkDeviceSize, 8> bytes_{};
  MeshTotals totals_;
};

}  // namespace throng::detail::renderer
