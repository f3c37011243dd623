// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is drawn of a model, far and near together: one call for each of its materials, and the triangles that those
// calls draw from.

#include <vector>

#include "throng/character/character.h"
#include "throng/gpu/resources.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

struct ModelDraws {
  // Part i of the model, as gpu::draw_number counts: a material's triangles, of all levels and near.
  std::vector<std::uint32_t> materials;
  std::vector<gpu::RangeRecord> ranges;  // of the far mesh: part by part, kMostMeshLevels each
  std::uint32_t command_room = 0;        // commands that one part may take in one view: its levels and near meshes
  std::uint32_t first_near_index = 0;    // where triangles of near meshes begin, behind those of the far mesh
};

// `near`: the meshes of its near characters; none: it has none.
ModelDraws draws_of(const Character& character, const NearMesh* near);

// How many levels of detail are drawn, the finest included.
std::uint32_t mesh_level_count(const Character& character);

// An index buffer of the far mesh's triangles, then the near meshes'.
Result<Buffer> upload_triangles(GpuDevice& gpu, const Character& character, const NearMesh* near);

}  // namespace throng::detail::renderer
