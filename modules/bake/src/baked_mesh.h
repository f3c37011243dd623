#pragma once
// The meshes of a model as one vertex buffer, its triangles by material.

#include "columns.h"

namespace throng {

// Where a baked vertex comes from: what the error measurement compares it with.
struct VertexOrigin {
  std::uint32_t mesh = 0;
  std::uint32_t vertex = 0;
  glm::dvec3 position{0.0};  // in mesh space, morph targets at rest applied
  glm::dvec3 normal{0.0};    // zero where the source has none
};

struct BakedMesh {
  std::vector<BakedVertex> vertices;
  std::vector<VertexOrigin> origins;  // one per vertex
  std::vector<std::uint32_t> indices;
  std::vector<BakedPart> parts;
  std::vector<BakedSource> sources;
  std::vector<Material> materials;  // only those that are used
  std::vector<ImageSource> images;
};

// Vertices keep the order of their source mesh; meshes are ordered by material. Weights sum to exactly 65535. Normals
// that the source lacks are those of the triangles around a vertex, by area.
BakedMesh make_baked_mesh(const Model& model, const Columns& columns, std::vector<std::string>& notes);

}  // namespace throng
