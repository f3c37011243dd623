// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertex mode: every vertex of every frame.

#include "bake_job.h"

namespace throng::detail::bake {

// The whole of it, error report and all. Holds no frames but those of the result and two for each thread.
Result<CharacterDraft> bake_vertices(BakeJob job);

}  // namespace throng::detail::bake
