#pragma once
// What a model looks like when it is a few pixels tall.

#include "throng/character/character.h"
#include "throng/shaders/speck.h"

namespace throng {

gpu::SpeckRecord speck_record(const Character& model);

}  // namespace throng
