// SPDX-License-Identifier: Apache-2.0
#include "near/placed_mesh.h"

namespace throng::detail::renderer {
namespace {

std::uint32_t moved_by(std::uint32_t number, std::uint64_t first) { return static_cast<std::uint32_t>(first + number); }

PlacedPiece placed(const NearMesh& mesh, std::uint32_t number, const MeshTotals& first) {
  const NearPiece& from = mesh.pieces()[number];
  return {.material = from.material,
          .first_vertex = moved_by(from.first_vertex, first.vertices),
          .vertex_count = from.vertex_count,
          .first_index = from.first_index,
          .index_count = from.index_count,
          .first_chunk = moved_by(from.first_chunk, first.chunks),
          .chunk_count = from.chunk_count,
          .first_target = from.first_target,
          .target_count = from.target_count,
          .bindings = mesh.bindings(number)};
}

gpu::ChunkRecord placed(gpu::ChunkRecord chunk, const MeshTotals& first) {
  chunk.first_vertex = moved_by(chunk.first_vertex, first.vertices);
  chunk.first_column = moved_by(chunk.first_column, first.columns);
  chunk.first_binding = moved_by(chunk.first_binding, first.bindings);
  chunk.first_extra = moved_by(chunk.first_extra, first.extra_influences);
  chunk.first_morph = moved_by(chunk.first_morph, first.morph_firsts);
  return chunk;
}

}  // namespace

PlacedMesh place_mesh(const NearMesh& mesh, const Motion& motion, std::optional<SkinMethod> method,
                      const MeshTotals& first) {
  const NearMeshData& data = mesh.data();
  PlacedMesh out;
  out.vertices = data.vertices;
  out.surfaces = data.surfaces;
  out.extra_influences = data.extra_influences;
  out.deltas = data.deltas;
  out.columns = data.columns;
  for (const std::uint32_t delta : data.morph_firsts) out.morph_firsts.push_back(moved_by(delta, first.deltas));
  for (const gpu::ChunkRecord& chunk : data.chunks) {
    gpu::ChunkRecord& here = out.chunks.emplace_back(placed(chunk, first));
    if (method) here.flags &= ~gpu::kSkinDual;
    if (method == SkinMethod::dual_quaternion) here.flags |= gpu::kSkinDual;
    out.features |= here.flags;
    out.column_counts.push_back(chunk.column_count);
  }
  for (const MotionBinding& binding : motion.bindings()) {
    const glm::mat4 rows(glm::transpose(binding.bone_from_mesh));
    out.bindings.push_back({rows[0], rows[1], rows[2]});
  }
  for (std::uint32_t piece = 0; piece < mesh.pieces().size(); ++piece) {
    const NearPiece& from = mesh.pieces()[piece];
    PlacedPiece& here = out.pieces.emplace_back(placed(mesh, piece, first));
    const bool dual = from.chunk_count > 0 && (out.chunks[from.first_chunk].flags & gpu::kSkinDual) != 0;
    const PieceBoxes& boxes = mesh.boxes(piece);
    if (dual) {
      here.method = SkinMethod::dual_quaternion;
      here.screw_boxes = ScrewBoxes(boxes.dual, motion.bindings());
    } else {
      here.linear_boxes = LinearBoxes(boxes.linear);
    }
  }
  return out;
}

MeshTotals totals_of(const PlacedMesh& mesh) {
  return {.vertices = mesh.surfaces.size(),
          .extra_influences = mesh.extra_influences.size(),
          .morph_firsts = mesh.morph_firsts.size(),
          .deltas = mesh.deltas.size(),
          .chunks = mesh.chunks.size(),
          .columns = mesh.columns.size(),
          .bindings = mesh.bindings.size()};
}

}  // namespace throng::detail::renderer
