// SPDX-License-Identifier: Apache-2.0
#pragma once
// The draws of a model, far and near together: one for each of its materials, and the triangles that they show.

#include <vector>

#include "throng/character/character.h"
#include "throng/gpu/descriptors.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

struct DrawTable {
  std::vector<std::uint32_t> materials;  // of each draw: its triangles are those of all levels and near pieces
  std::vector<gpu::RangeRecord> ranges;  // of the far mesh: draw by draw, kMostMeshLevels each
  std::uint32_t command_room = 0;        // commands that one draw may take in one view: its levels and near pieces
  std::uint32_t first_near_index = 0;    // where triangles of the near mesh begin, behind those of the far mesh
};

// `near`: what its near characters wear; none: it has none.
DrawTable draw_table_of(const Character& character, const NearMesh* near);

// The commands of near characters in an image, which are put into the calls of the draws they belong to.
struct NearCalls {
  BufferRange calls = {};     // a gpu::NearCall for each call of all models
  BufferRange commands = {};  // gpu::CommandRecord
  std::uint32_t command_count = 0;
};

// An index buffer of the far mesh's triangles, then the near mesh's.
Result<Buffer> upload_triangles(GpuDevice& gpu, const Character& character, const NearMesh* near);

}  // namespace throng::detail::renderer
