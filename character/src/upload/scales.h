// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether bones scale: most never do, and what skins them can leave it out.

#include "throng/character/character.h"

namespace throng::detail::character {

// In no clip do columns scale differently from each other: looked up in the texels.
bool has_uniform_scale(const CharacterDraft& model);

}  // namespace throng::detail::character
