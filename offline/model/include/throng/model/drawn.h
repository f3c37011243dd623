// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of a model can be seen.

#include <cstdint>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// Whether a mesh has triangles.
bool is_drawn(const Mesh& mesh);

// The meshes that are drawn, ordered by material; those of one material stay in their order.
std::vector<std::uint32_t> drawn_by_material(const Model& model);

// The materials that those have: a character made of the model has them in this order, near and far.
std::vector<std::uint32_t> drawn_materials(const Model& model);

// Which bones carry vertices of such meshes: one entry a bone.
std::vector<bool> drawn_bones(const Model& model);

}  // namespace throng
