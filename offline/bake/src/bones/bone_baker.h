#pragma once
// Bone mode: a texel column a bone.

#include "motion/clip_plan.h"

namespace throng::detail::bake {

// The whole of it, error report and all. `height`: of the model, for what a millimetre is.
Result<CharacterDraft> bake_bones(const Model& source, const BakeSettings& settings, const std::vector<ClipPlan>& plans,
                                  double height, std::vector<std::string> notes, Executor& executor,
                                  const Progress& progress);

}  // namespace throng::detail::bake
