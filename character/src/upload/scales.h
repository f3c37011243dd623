// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether bones scale: most never do, and what skins them can leave it out.

#include "throng/character/character.h"

namespace throng::detail::character {

// Whether columns scale alike in every clip: looked up in the texels.
bool has_uniform_scale(const CharacterDraft& model);

}  // namespace throng::detail::character
