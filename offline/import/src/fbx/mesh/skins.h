// SPDX-License-Identifier: Apache-2.0
#pragma once
// Skins: what every control point of a geometry is bound to.

#include "fbx/mesh/mesh_source.h"
#include "kept_influences.h"

namespace throng::detail::fbx {

// One per control point. Without a skin all are bound to the mesh's node.
Result<std::vector<import::KeptInfluences>> read_influences(Conversion& conversion, const MeshSource& mesh);

// How much was lost where vertices had more influences than are kept, and so on, as one note each.
void note_repairs(Conversion& conversion);

}  // namespace throng::detail::fbx
