#pragma once
// Which bones carry vertices that are drawn.

#include <vector>

#include "throng/model/model.h"

namespace throng::detail::bake {

// One entry a bone.
std::vector<bool> drawn_bones(const Model& model);

}  // namespace throng::detail::bake
