// SPDX-License-Identifier: Apache-2.0
#pragma once
// Works out what the bake stores for renderers, or checks what a file says of it.

#include <vector>

#include "throng/character/character.h"

namespace throng::detail::character {

// Bone mode: puts the bones of every vertex in the order of their weights, strongest first, since coarse levels follow
// those alone. Vertex mode: keeps of each vertex only what the frames do not hold (SurfaceVertex). A draft whose
// vertices are like that already is not copied.
void finish_vertices(CharacterDraft& draft);

// Two to a vertex: see UploadData::skin_vertices.
std::vector<glm::uvec4> skin_vertices(std::span<const BakedVertex> vertices);

// Checks that stored skin vertices say what the vertices do. Normals may be off by their packing.
Result<void> check_skin_vertices(std::span<const BakedVertex> vertices, std::span<const glm::uvec4> stored);

}  // namespace throng::detail::character
