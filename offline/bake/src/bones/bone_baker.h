// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bone mode: a column of the texture a bone. Columns are sampled, each clip's rate and encoding chosen, frames stored.

#include "bake_job.h"

namespace throng::detail::bake {

// The whole of it, error report and all.
Result<CharacterDraft> bake_bones(BakeJob job);

}  // namespace throng::detail::bake
