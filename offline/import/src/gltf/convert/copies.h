// SPDX-License-Identifier: Apache-2.0
#pragma once
// Instances of a mesh become one mesh of rigid copies.

#include <vector>

#include "throng/math/transform.h"
#include "throng/model/model.h"

namespace throng::detail::gltf {

// Puts a copy of the mesh at each place, in their order, and keeps nothing else. The mesh is bound to one bone.
void make_copies(Mesh& mesh, const std::vector<Transform>& places);

}  // namespace throng::detail::gltf
