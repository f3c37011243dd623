// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones get a body, and the points it is fitted to.

#include <vector>

#include "throng/ragdoll/ragdoll_setup.h"

namespace throng::detail::ragdoll {

struct Clouds {
  std::vector<std::vector<glm::vec3>> points;  // of each bone that gets a body, in model space at rest
  std::vector<bool> has_body;                  // one a bone
  std::vector<bool> apart;                     // one a bone: its body hangs on none, whatever is above it
  float size = 0.0f;                           // of the model at rest
};

// `mesh`: none, for a skeleton alone. `shapes`: what the settings say of each bone.
Clouds gather_clouds(const NearMesh* mesh, const Rig& rig, float least_size, const std::vector<BodyShape>& shapes);

}  // namespace throng::detail::ragdoll
