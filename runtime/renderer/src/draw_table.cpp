// SPDX-License-Identifier: Apache-2.0
#include "draw_table.h"

#include <algorithm>
#include <array>
#include <map>

#include "throng/gpu/upload.h"
#include "throng/plan/model_record.h"

namespace throng::detail::renderer {
namespace {

std::span<const BakedDraw> draws_at(const Character& character, std::size_t level) {
  return level == 0 ? character.draws() : character.levels()[level - 1].draws;
}

}  // namespace

DrawTable draw_table_of(const Character& character, const NearMesh* near) {
  DrawTable made;
  made.first_near_index = static_cast<std::uint32_t>(character.indices().size());
  for (const BakedDraw& draw : character.draws())
    if (draw.index_count > 0) made.materials.push_back(draw.material);
  std::map<std::uint32_t, std::uint32_t> near_pieces;  // of each material
  for (const NearPiece& piece : near != nullptr ? near->pieces() : std::span<const NearPiece>())
    if (piece.index_count > 0) ++near_pieces[piece.material];
  std::uint32_t most = 0;
  for (const auto& [material, count] : near_pieces) {
    most = std::max(most, count);
    if (std::ranges::find(made.materials, material) == made.materials.end()) made.materials.push_back(material);
  }
  made.command_room = gpu::kMostMeshLevels + most;

  made.ranges.resize(made.materials.size() * gpu::kMostMeshLevels);
  for (std::size_t level = 0; level < mesh_level_count(character); ++level)
    for (const BakedDraw& draw : draws_at(character, level)) {
      const auto of =
          static_cast<std::size_t>(std::ranges::find(made.materials, draw.material) - made.materials.begin());
      if (draw.index_count > 0 && of < made.materials.size())
        made.ranges[of * gpu::kMostMeshLevels + level] = {draw.first_index, draw.index_count};
    }
  return made;
}

Result<Buffer> upload_triangles(GpuDevice& gpu, const Character& character, const NearMesh* near) {
  const std::span<const std::uint32_t> of_near =
      near != nullptr ? near->data().indices : std::span<const std::uint32_t>();
  return upload_joined(gpu, std::array{std::as_bytes(character.indices()), std::as_bytes(of_near)},
                       VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
}

}  // namespace throng::detail::renderer
