#pragma once
// Whether bones scale: most never do, and what skins them can leave it out.

#include "throng/character/character.h"

namespace throng {

// In no clip do columns scale differently from each other: looked up in the texels.
bool has_one_scale(const Character& model);

}  // namespace throng
