// SPDX-License-Identifier: Apache-2.0
#pragma once
// A bake as the preview shows it when one wants to look at something else than the finished picture.

#include "preview/heat.h"
#include "throng/character/character.h"

namespace throng::studio {

// The character in the colours of its errors, without its own pictures.
Result<Character> with_heat(const Character& character, const HeatMap& heat, double full_mm);

// The character as it is drawn from afar: `level` 0 is the full mesh, 1 the first coarser one.
Result<Character> at_level(const Character& character, std::uint32_t level);

}  // namespace throng::studio
