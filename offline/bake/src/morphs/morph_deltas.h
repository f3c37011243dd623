// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the kept morph targets add to the vertices of the baked mesh, in integers.

#include "mesh/baked_mesh.h"
#include "morphs/morph_plan.h"

namespace throng::detail::bake {

struct MorphDeltas {
  std::vector<BakedTarget> targets;     // by channel; what weights are measured in is not known yet
  std::vector<MorphedVertex> vertices;  // ascending
  std::vector<BakedDelta> deltas;
};

// Deltas that no clip makes large enough to show are left out.
MorphDeltas make_deltas(const Model& model, const MorphPlan& plan, const Columns& columns, const BakedMesh& mesh);

}  // namespace throng::detail::bake
