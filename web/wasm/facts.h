// SPDX-License-Identifier: Apache-2.0
#pragma once
// What JavaScript is told of a character, as JSON: `character.facts` of throng.d.ts.

#include <string>

#include "throng/character/character.h"

namespace throng::web {

std::string facts_of(const Character& character);

}  // namespace throng::web
