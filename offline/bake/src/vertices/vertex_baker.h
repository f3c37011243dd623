#pragma once
// Vertex mode: every vertex of every frame.

#include "motion/clip_plan.h"

namespace throng::detail::bake {

// The whole of it, error report and all. `height`: of the model, for what a millimetre is. Holds no frames but those of
// the result and two for each thread.
Result<CharacterDraft> bake_vertices(const Model& source, const BakeSettings& settings,
                                     const std::vector<ClipPlan>& plans, double height, std::vector<std::string> notes,
                                     Executor& executor, const Progress& progress);

}  // namespace throng::detail::bake
