// SPDX-License-Identifier: Apache-2.0
#pragma once
// What far characters of one model read on the GPU and what of it never changes: as far_model.glsl binds it.

#include <array>
#include <bit>
#include <optional>

#include "throng/character/character.h"
#include "throng/gpu/descriptors.h"
#include "throng/plan/clip_boxes.h"
#include "throng/plan/level_quality.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

// Bindings of set 1, shared by all passes of far characters: shaders/include/throng/shaders/passes/far_model.glsl and
// others.
enum class ModelBinding : std::uint8_t {
  instances,
  plays,
  clips,
  table,
  atlas,
  vertices,
  tangents,
  drawn,
  view_lists,
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
  part_vertices,
  channels,
  pose_table,
  // These are buffers of above again, as texels (model_texels.glsl): where FarPipelineSettings::texels say so.
  instance_texels,
  play_texels,
  drawn_texels,
  view_list_texels,
  palette_texels,
  pool_texels,
  vertex_texels,
  skin_vertex_texels,
  count
};

std::vector<BindingSpec> model_bindings(bool texels);

// A set of these bindings, and the views of texels that are bound.
struct ModelSet {
  static Result<ModelSet> create(const GpuDevice& gpu, bool texels);
  Result<void> write_texels(const GpuDevice& gpu, ModelBinding binding, const Buffer& buffer, VkFormat format);
  VkDescriptorSet operator[](std::size_t i) const { return sets[i]; }

  std::vector<VkOwned<VkBufferView>> texels;  // none without
  DescriptorSets sets;
};

// Specialisation constants of far_model.glsl, in their order. What none of a model's clips needs is compiled away.
struct ModelConstants {
  std::uint32_t atlas_width = 1;
  std::uint32_t texel_words = 4;
  std::uint32_t frame_shapes = 0;
  std::uint32_t encodings = 0;  // bit n: some clip is of encoding n
  std::uint32_t columns = 1;
  std::uint32_t animated_tangents = 0;  // vertex mode: 1 or 0
  std::uint32_t rotation_slots = 0;
  std::uint32_t mesh_has = 0;  // gpu::kMeshTangents and the like
};

class ModelResources {
 public:
  ModelResources() = default;
  // Checks the model first. `motion`: motion vectors are drawn of it.
  static Result<ModelResources> create(GpuDevice& gpu, const Character& model, const LevelQualities& asked,
                                       bool motion);

  // Into the first set of `sets`, which is of model_bindings().
  void bind(const DescriptorSets& sets) const;
  Result<void> bind_texels(const GpuDevice& gpu, ModelSet& set) const;

  const Buffer& nothing() const { return table_; }  // for bindings that a model does not need
  bool posed() const { return pose_lanes_ > 0; }    // has local8 or localv clips
  // All its clips are relative to the parents of its bones, as local8 and localv are.
  bool only_linked() const { return (constants_.encodings & ~gpu::kLinkedEncodings) == 0; }
  bool tangents() const { return has(gpu::kMeshTangents); }
  bool parts() const { return has(gpu::kMeshParts); }
  bool morphs() const { return has(gpu::kMeshMorphs); }
  bool motion() const { return has(gpu::kMeshHistory); }
  std::uint32_t columns() const { return constants_.columns; }
  std::uint32_t palette_rows() const;  // of one column
  std::uint32_t pose_lanes() const { return pose_lanes_; }
  std::uint32_t shared_links() const { return shared_links_; }
  // For models all of whose clips are in localv (pose_table.h): rounds that compose its chains. Nothing: not so.
  std::optional<std::uint32_t> jumps() const { return jumps_; }
  std::uint32_t pose_shapes() const { return pose_shapes_; }     // gpu::kPoseFourths and the like
  std::uint32_t pose_width() const { return pose_width_; }       // rows of a block of its table
  bool pose_in_subgroups() const { return pose_in_subgroups_; }  // each takes a character
  bool stores_vertices() const { return stores_vertices_; }
  bool uniform_scale() const { return uniform_scale_; }  // in no clip do columns scale differently
  std::span<const ClipBox> clip_boxes() const { return clip_boxes_; }

  // How good every level is, with each number of bones that its vertices may follow.
  const LevelQualities& qualities() const { return qualities_; }

  // The fixed part of what the passes know of it: levels, height.
  const gpu::ModelRecord& record() const { return record_; }

  // Specialisation constants, in the order in which pipelines take them.
  std::array<std::uint32_t, 8> constants() const { return std::bit_cast<std::array<std::uint32_t, 8>>(constants_); }

 private:
  bool has(std::uint32_t what) const { return (constants_.mesh_has & what) != 0; }
  Result<void> upload(GpuDevice& gpu, const Character& model);
  Result<void> upload_skeleton(GpuDevice& gpu, const Character& model);

  ModelConstants constants_;
  std::vector<ClipBox> clip_boxes_;
  gpu::ModelRecord record_{};
  LevelQualities qualities_{};
  std::uint32_t pose_lanes_ = 0;
  std::uint32_t shared_links_ = 0;
  std::optional<std::uint32_t> jumps_;
  std::uint32_t pose_shapes_ = 0;
  std::uint32_t pose_width_ = 0;
  bool pose_in_subgroups_ = false;
  bool stores_vertices_ = false;
  bool uniform_scale_ = false;
  Buffer vertices_;
  Buffer tangents_;
  Buffer skin_vertices_;
  Buffer vertex_parts_;
  Buffer part_vertices_;
  Buffer clips_;
  Buffer table_;
  Buffer boxes_;
  Buffer links_;
  Buffer columns_;
  Buffer speck_;
  Buffer morphs_, channels_, pose_table_;
  ImageResource atlas_;
  VkOwned<VkSampler> atlas_sampler_;
};

}  // namespace throng::detail::renderer
