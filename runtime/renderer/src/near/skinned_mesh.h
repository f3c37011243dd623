#pragma once
// A model's meshes as skinned.comp and the passes that draw them read them: packed, cut into chunks. Pure.

#include "near/skinned_bounds.h"
#include "throng/renderer/skinned_renderer.h"
#include "throng/shaders/skinned.h"

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
  std::uint64_t indices = 0;
};

// One mesh. Numbers count over all models.
struct SkinnedPart {
  std::uint32_t mesh = 0;  // of its model
  std::uint32_t material = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  std::uint32_t first_chunk = 0;
  std::uint32_t chunk_count = 0;
  std::uint32_t first_target = 0;  // of its model
  std::uint32_t target_count = 0;
  std::vector<std::uint32_t> bindings;  // that move it, of its model
  SkinnedBoxes boxes;
};

struct SkinnedMeshes {
  std::vector<glm::uvec4> vertices;  // two each: skinned.comp says what is in them
  std::vector<glm::uvec4> surfaces;  // uv, colour
  std::vector<glm::uvec4> more;
  std::vector<std::uint32_t> morph_firsts;
  std::vector<gpu::MorphDelta> deltas;
  std::vector<gpu::ChunkRecord> chunks;
  std::vector<std::uint32_t> columns;
  std::vector<gpu::BindingRecord> bindings;
  std::vector<std::uint32_t> indices;
  std::vector<SkinnedPart> parts;            // mesh by mesh
  std::vector<std::uint32_t> column_counts;  // of each chunk
  std::uint32_t features = 0;                // of any chunk
};

// `first`: what there is already.
SkinnedMeshes skinned_meshes(const Model& model, const SkinnedModelSettings& settings, const SkinnedTotals& first);

SkinnedTotals totals_of(const SkinnedMeshes& meshes);

}  // namespace throng::detail::renderer
