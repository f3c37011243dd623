// SPDX-License-Identifier: Apache-2.0
#pragma once
// The meshes of a model as one vertex buffer, its triangles by material, and coarser levels of the same vertices.

#include "mesh/source_mesh.h"
#include "motion/columns.h"

namespace throng::detail::bake {

// Where a baked vertex comes from: what the error measurement compares it with.
struct VertexOrigin {
  std::uint32_t mesh = 0;
  std::uint32_t vertex = 0;
  glm::dvec3 position{0.0};  // in mesh space, morph targets at rest applied
  glm::dvec3 normal{0.0};    // zero where the source has none
};

struct BakedMesh {
  std::vector<BakedVertex> vertices;
  std::vector<glm::vec4> tangents;        // one per vertex, w: −1 or 1; or none
  std::vector<VertexOrigin> origins;      // one per vertex
  std::vector<std::uint8_t> parts;        // of which each vertex is: see part_numbers
  std::vector<std::uint32_t> indices;     // of the full mesh, then of the coarser levels
  std::vector<BakedDraw> draws;           // of the full mesh
  std::vector<BakedLevel> levels;         // coarser ones, finest first
  std::optional<FewerBones> fewer_bones;  // of the full mesh, where there are levels
  // Which vertex each source vertex became, in the order of `sources`; empty: the same.
  std::vector<std::uint32_t> baked_from_source;
  std::vector<BakedSource> sources;
  std::vector<Material> materials;  // only those that are used
  std::vector<ImageSource> images;
  std::shared_ptr<const std::vector<RestSurface>> surfaces;  // of the model's meshes
};

// Vertices and triangles keep the order of their source mesh; meshes are ordered by material. Weights sum to exactly
// 65535. Normals that the source lacks are those of the triangles around a vertex, by area. No tangents, one level.
BakedMesh make_baked_mesh(const SourceMeshes& source, const Columns& columns, std::vector<std::string>& notes);

// What levels of detail are made for.
struct LevelSetting {
  const std::vector<ClipPlan>& plans;  // in whose poses they are seen; none: at rest
  Executor& executor;
  Progress progress = {};
};

// The same as bone mode wants it: with tangents and levels as the settings ask, triangles ordered for the vertex cache
// and against overdraw, vertices by the coarsest level that uses them and then as they are fetched.
BakedMesh make_baked_mesh(const SourceMeshes& source, const Columns& columns, const BakeSettings& settings,
                          const LevelSetting& levels, std::vector<std::string>& notes);

// The mesh of vertex mode: as it is at rest, in model space, triangles ordered for the vertex cache; vertices by the
// coarsest level that uses them and then in the order of their source.
BakedMesh make_rest_mesh(const SourceMeshes& source, const BakeSettings& settings, const LevelSetting& levels,
                         std::vector<std::string>& notes);

}  // namespace throng::detail::bake
