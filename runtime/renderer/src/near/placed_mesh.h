// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character's near mesh as it follows those of the models that were added before it: the same arrays, with numbers
// that count over all models. Pure.

#include <optional>

#include "near/near_screws.h"
#include "throng/character/near_mesh.h"
#include "throng/character/skin_method.h"

namespace throng::detail::renderer {

// How much of everything there is: where the next model begins.
struct MeshTotals {
  std::uint64_t vertices = 0;
  std::uint64_t extra_influences = 0;
  std::uint64_t morph_firsts = 0;
  std::uint64_t deltas = 0;
  std::uint64_t chunks = 0;
  std::uint64_t columns = 0;
  std::uint64_t bindings = 0;
};

// One piece. Numbers count over all models.
struct PlacedPiece {
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
  SkinMethod method = SkinMethod::linear;
  std::span<const std::uint32_t> bindings;  // that move it, of its model
  LinearBoxes linear_boxes = {};            // where it is blended linearly
  ScrewBoxes screw_boxes = {};              // where it is not
};

// What is uploaded. The views are the NearMesh's.
struct PlacedMesh {
  std::span<const glm::uvec4> vertices;  // two each: near_skin.comp says what is in them
  std::span<const glm::uvec4> surfaces;  // uv, colour
  std::span<const glm::uvec4> extra_influences;
  std::vector<std::uint32_t> morph_firsts;
  std::span<const gpu::MorphDelta> deltas;
  std::vector<gpu::ChunkRecord> chunks;
  std::span<const std::uint32_t> columns;
  std::vector<gpu::BindingRecord> bindings;
  std::vector<PlacedPiece> pieces;           // in their order
  std::vector<std::uint32_t> column_counts;  // of each chunk
  std::uint32_t features = 0;                // of any chunk
};

// `first`: what there is already. `method`: of all pieces, or each has its own.
PlacedMesh place_mesh(const NearMesh& mesh, const Motion& motion, std::optional<SkinMethod> method,
                      const MeshTotals& first);

MeshTotals totals_of(const PlacedMesh& mesh);

}  // namespace throng::detail::renderer
