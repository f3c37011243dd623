// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of a model can be seen.

#include <vector>

#include "throng/model/model.h"

namespace throng {

// Whether a mesh has triangles.
bool is_drawn(const Mesh& mesh);

// Which bones carry vertices of such meshes: one entry a bone.
std::vector<bool> drawn_bones(const Model& model);

}  // namespace throng
