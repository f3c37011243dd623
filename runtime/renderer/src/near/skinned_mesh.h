// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character's packed meshes as they follow those of the models that were added before it: the same arrays, with
// numbers that count over all models. Pure.

#include "throng/character/near_mesh.h"
#include "throng/character/skin_method.h"

namespace throng::detail::renderer {

// How much of everything there is: where the next model begins.
struct SkinnedTotals {
  std::uint64_t vertices = 0;
  std::uint64_t more = 0;
  std::uint64_t morph_firsts = 0;
  std::uint64_t deltas = 0;
  std::uint64_t chunks = 0;
  std::uint64_t columns = 0;
  std::uint64_t bindings = 0;
};

// One mesh. Numbers count over all models.
struct SkinnedPart {
  std::uint32_t mesh = 0;  // of its model
  std::uint32_t material = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t first_index = 0;  // of its model's
  std::uint32_t index_count = 0;
  std::uint32_t draw = 0;  // which of its model's in a view: that of its material
  std::uint32_t first_chunk = 0;
  std::uint32_t chunk_count = 0;
  std::uint32_t first_target = 0;  // of its model
  std::uint32_t target_count = 0;
  std::span<const std::uint32_t> bindings;  // that move it, of its model
  const PartBoxes* boxes = nullptr;         // in its model's NearMesh
};

// What is uploaded. The views are the NearMesh's.
struct SkinnedMeshes {
  std::span<const glm::uvec4> vertices;  // two each: skinned.comp says what is in them
  std::span<const glm::uvec4> surfaces;  // uv, colour
  std::span<const glm::uvec4> more;
  std::vector<std::uint32_t> morph_firsts;
  std::span<const gpu::MorphDelta> deltas;
  std::vector<gpu::ChunkRecord> chunks;
  std::span<const std::uint32_t> columns;
  std::vector<gpu::BindingRecord> bindings;
  std::vector<SkinnedPart> parts;            // mesh by mesh
  std::vector<std::uint32_t> column_counts;  // of each chunk
  std::uint32_t features = 0;                // of any chunk
};

// `first`: what there is already.
SkinnedMeshes skinned_meshes(const NearMesh& mesh, const Motion& motion, SkinMethod method, const SkinnedTotals& first);

SkinnedTotals totals_of(const SkinnedMeshes& meshes);

}  // namespace throng::detail::renderer
