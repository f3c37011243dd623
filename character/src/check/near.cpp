// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "check/draft.h"

namespace throng::detail::character {

Result<void> check_near(const CharacterDraft& model) {
  if (!model.near_mesh) return {};
  if (!model.motion) return fail("there are meshes for near characters but no motion for them");
  const NearMesh& mesh = *model.near_mesh;
  if (mesh.binding_count() != model.motion->bindings().size() ||
      mesh.target_count() != model.motion->rest_morphs().size())
    return fail("the meshes for near characters follow {} bindings and {} morph targets, the motion has {} and {}",
                mesh.binding_count(), mesh.target_count(), model.motion->bindings().size(),
                model.motion->rest_morphs().size());
  for (const NearPiece& piece : mesh.pieces()) {
    if (piece.material >= model.materials.size())
      return fail("piece '{}' has material {} of {}", piece.name, piece.material, model.materials.size());
    if (piece.part >= std::max<std::size_t>(model.parts.size(), 1))
      return fail("piece '{}' is of part {} of {}", piece.name, piece.part, model.parts.size());
  }
  return {};
}

}  // namespace throng::detail::character
