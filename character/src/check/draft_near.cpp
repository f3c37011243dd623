// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "check/draft.h"
#include "throng/base/try.h"

namespace throng::detail::character {

namespace {

// A character has one list of clips: a ClipId means the same one near and far.
Result<void> check_same_clips(const CharacterDraft& model) {
  const auto far = std::span(model.clips);
  const auto near = model.motion->clips();
  if (near.size() != far.size())
    return fail("near characters have {} clips and far ones {}; they must be the same", near.size(), far.size());
  for (std::size_t i = 0; i < far.size(); ++i)
    if (near[i].name != far[i].name)
      return fail("clip {} is '{}' near and '{}' far; they must be the same", i, near[i].name, far[i].name);
  return {};
}

}  // namespace

Result<void> check_near(const CharacterDraft& model) {
  if (model.motion) THRONG_CHECK(check_same_clips(model));
  if (!model.near_mesh) return {};
  if (!model.motion) return fail("there is a near mesh but no motion for it");
  const NearMesh& mesh = *model.near_mesh;
  if (mesh.binding_count() != model.motion->bindings().size() ||
      mesh.target_count() != model.motion->rest_morphs().size())
    return fail("the near mesh follows {} bindings and {} morph targets, the motion has {} and {}",
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
