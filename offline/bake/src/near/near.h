// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a character needs to be played near: its motion and its meshes, beside what is played far.

#include <span>

#include "mesh/source_mesh.h"
#include "motion/clip_plan.h"

namespace throng::detail::bake {

// Fills the draft's motion and near_mesh: the clips that are baked, with the facts that were decided for them, and with
// the morph targets that bones cannot hold. Clips in localv are read from the draft's words. A bound that the settings
// name is kept near as well. Nothing for a model without bones.
Result<void> add_near(const SourceMeshes& source, const BakeSettings& settings, std::span<const ClipPlan> plans,
                      Executor& executor, CharacterDraft& draft);

}  // namespace throng::detail::bake
