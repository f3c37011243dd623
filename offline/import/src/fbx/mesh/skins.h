// SPDX-License-Identifier: Apache-2.0
#pragma once
// Skins: what every control point of a geometry is bound to.

#include "fbx/mesh/mesh_source.h"
#include "kept_influences.h"

namespace throng::detail::fbx {

// One per control point. Without a skin all are bound to the mesh's node.
Result<std::vector<import::KeptInfluences>> read_influences(Conversion& conversion, const MeshSource& mesh);

// Whether a geometry's skin is blended by dual quaternions, at least in part. Linear blending is all a crowd has; the
// two differ where bones twist.
bool blends_otherwise(const Document& document, const Object& geometry);

// How much was lost where vertices had more influences than are kept, and so on, as one note each.
void note_repairs(Conversion& conversion);

}  // namespace throng::detail::fbx
