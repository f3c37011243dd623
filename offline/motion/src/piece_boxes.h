// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes around the vertices of a mesh that follow a binding.

#include <vector>

#include "throng/character/near_mesh.h"
#include "throng/model/model.h"

namespace throng::detail::motion {

// A binding that a vertex follows, and how much.
struct VertexInfluence {
  std::uint32_t binding = 0;
  double weight = 0.0;
};
using InfluenceList = std::vector<std::vector<VertexInfluence>>;  // vertex by vertex, strongest first, none of zero

PieceBoxes boxes_of(const Model& model, const Mesh& mesh, const InfluenceList& influences);

}  // namespace throng::detail::motion
