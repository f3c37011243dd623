// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin's skin: meshes with normals, colours and influences, and the materials they wear.

#include <vector>

#include "throng/model/model.h"

namespace throng::detail::mannequin {

struct Body {
  std::vector<Mesh> meshes;  // one per material
  std::vector<Material> materials;
};

Body make_body();

}  // namespace throng::detail::mannequin
