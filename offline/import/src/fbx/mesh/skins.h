// SPDX-License-Identifier: Apache-2.0
#pragma once
// Skins: what every control point of a geometry is bound to.

#include <glm/glm.hpp>
#include <map>

#include "fbx/mesh/mesh_source.h"
#include "kept_influences.h"

namespace throng::detail::fbx {

// Of all bind poses: where nodes were, in the file's axes.
std::map<ObjectId, glm::dmat4> read_bind_poses(const Document& document);

// One per control point. Without a skin all are bound to the mesh's node.
Result<std::vector<import::KeptInfluences>> read_influences(Conversion& conversion, const MeshSource& mesh);

// How a geometry's skin is blended: the method that counts for most of its points, where it mixes the two.
struct Blending {
  SkinMethod method = SkinMethod::linear;
  bool mixed = false;  // some point has some of the other too

  // Linear blending is all a crowd has; the two differ where bones twist.
  bool is_linear() const { return method == SkinMethod::linear && !mixed; }
};
Blending blending_of(const Document& document, const Object& geometry);

// How much was lost where vertices had more influences than are kept, and so on, as one note each.
void note_repairs(Conversion& conversion);

}  // namespace throng::detail::fbx
