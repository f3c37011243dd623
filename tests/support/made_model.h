// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models made by hand, one clip of known movements in any encoding and any layout, and what decoding must give: worked
// out from matrices, apart from the code under test.

#include <glm/glm.hpp>

#include "throng/character/character.h"

namespace throng {

// Two layers; the clip "moves" of four frames lies in the second, after one frame (or one row of them) that is not
// its own. Bone mode has three columns, local8 a chain of four links; one socket; vertex mode has animated tangents.
Character made_model(Encoding encoding, const Layout& layout);
// `stored`: of localv, the frames that are; none: all.
CharacterDraft made_draft(Encoding encoding, const Layout& layout, const std::vector<std::uint32_t>& stored = {});

inline constexpr std::uint32_t kMadeFrames = 4;

// How far decoded positions may be from the truth.
double made_tolerance(Encoding encoding);

// model_from_mesh of a column, `blend` of the way from frame to next, both counted within the clip.
glm::dmat4 made_column(const Character& model, std::uint32_t column, std::uint32_t frame, std::uint32_t next,
                       double blend);

// Vertex mode: item by item.
glm::dvec3 made_position(std::uint32_t item, std::uint32_t frame);
glm::dvec3 made_normal(std::uint32_t item, std::uint32_t frame);

}  // namespace throng
