// SPDX-License-Identifier: Apache-2.0
#pragma once
// One baked model in GPU memory: what of it never changes, and which of crowd.glsl's bindings show it.

#include "throng/character/character.h"
#include "throng/gpu/descriptors.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

// Bindings of set 1, shared by all passes of a crowd: shaders/include/throng/shaders/passes/crowd.glsl and others.
enum class ModelBinding : std::uint8_t {
  instances,
  plays,
  clips,
  table,
  atlas,
  vertices,
  tangents,
  drawn,
  slots,
  palette,
  pool,
  codes,
  group_counts,
  boxes,
  links,
  columns,
  pool_tangents,
  speck,
  skin_vertices,
  history,
  last,
  vertex_parts,
  morphs,
  count
};

std::vector<BindingSpec> model_bindings();

class ModelResources {
 public:
  ModelResources() = default;
  // Checks the model first. With `near`, whose triangles are drawn together with those of the far mesh. `motion`:
  // motion vectors are drawn of it.
  static Result<ModelResources> create(GpuDevice& gpu, const Character& model, const NearMesh* near, bool motion);

  // Into the first set of `sets`, which is of model_bindings().
  void bind(const DescriptorSets& sets) const;

  const Buffer& indices() const { return indices_; }            // of the far mesh, then of the near ones
  std::uint32_t near_indices() const { return near_indices_; }  // where those begin
  // What is drawn in one call: a material of the model, and its triangles far and near.
  std::span<const std::uint32_t> part_materials() const { return part_materials_; }
  const Buffer& nothing() const { return table_; }  // for bindings that a model does not need
  bool posed() const { return pose_lanes_ > 0; }    // has local8 clips
  bool tangents() const { return (constants_[7] & gpu::kMeshTangents) != 0; }
  bool parts() const { return (constants_[7] & gpu::kMeshParts) != 0; }
  bool morphs() const { return (constants_[7] & gpu::kMeshMorphs) != 0; }
  bool motion() const { return (constants_[7] & gpu::kMeshHistory) != 0; }
  std::uint32_t columns() const { return constants_[4]; }
  std::uint32_t palette_rows() const;  // of one column
  std::uint32_t pose_lanes() const { return pose_lanes_; }
  std::uint32_t shared_links() const { return shared_links_; }
  bool stores_vertices() const { return stores_vertices_; }
  bool one_scale() const { return one_scale_; }  // in no clip do columns scale differently
  std::span<const Bounds> clip_bounds() const { return clip_bounds_; }

  // The fixed part of what the passes know of it: levels, height. Ranges: part by part, kMostMeshLevels each.
  const gpu::ModelRecord& record() const { return record_; }
  std::span<const gpu::RangeRecord> ranges() const { return ranges_; }

  // Specialisation constants of crowd.glsl.
  std::span<const std::uint32_t> constants() const { return constants_; }

 private:
  Result<void> upload(GpuDevice& gpu, const Character& model);
  Result<void> upload_skeleton(GpuDevice& gpu, const Character& model);
  Result<void> upload_indices(GpuDevice& gpu, const Character& model, const NearMesh* near);
  void take_parts(const Character& model, const NearMesh* near);
  void take_levels(const Character& model);

  std::array<std::uint32_t, 8> constants_{};
  std::vector<Bounds> clip_bounds_;
  gpu::ModelRecord record_{};
  std::vector<gpu::RangeRecord> ranges_;
  std::vector<std::uint32_t> part_materials_;
  std::uint32_t near_indices_ = 0;
  std::uint32_t pose_lanes_ = 0;
  std::uint32_t shared_links_ = 0;
  bool stores_vertices_ = false;
  bool one_scale_ = false;
  Buffer vertices_;
  Buffer tangents_;
  Buffer skin_vertices_;
  Buffer vertex_parts_;
  Buffer indices_;
  Buffer clips_;
  Buffer table_;
  Buffer boxes_;
  Buffer links_;
  Buffer columns_;
  Buffer speck_;
  Buffer morphs_;
  ImageResource atlas_;
  VkOwned<VkSampler> atlas_sampler_;
};

}  // namespace throng::detail::renderer
