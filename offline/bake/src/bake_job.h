// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake of either mode starts from.

#include "mesh/source_mesh.h"
#include "motion/clip_plan.h"

namespace throng::detail::bake {

// Whether anything is left to be chosen for the bound's sake. Of vertices the encoding is never chosen.
inline bool chooses(const BakeSettings& settings) {
  const bool vertices = settings.mode == BakeMode::vertices;
  return settings.max_error_mm && !(settings.frame_rate && (vertices || settings.encoding));
}

struct BakeJob {
  const SourceMeshes& source;
  const BakeSettings& settings;
  Executor& executor;
  const Progress& progress;
  double height = 1.0;  // of the model: what a millimetre is
  std::vector<ClipPlan> plans;
  Remarks remarks;
};

}  // namespace throng::detail::bake
