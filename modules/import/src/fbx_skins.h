#pragma once
// Skins: what every control point of a geometry is bound to.

#include "fbx_mesh_source.h"

namespace throng::fbx {

// One Influences per control point. Without a skin all are bound to the mesh's node.
Result<std::vector<Influences>> read_influences(Conversion& conversion, const MeshSource& mesh);

// How much was lost where vertices had more than four influences, and so on, as one note each.
void note_repairs(Conversion& conversion);

}  // namespace throng::fbx
