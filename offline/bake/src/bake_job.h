// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake of either mode starts from.

#include <limits>

#include "cost.h"
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
  // What looking for better rates and encodings may take.
  Cost search = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

// A clip's part of the seconds, by its frames.
inline double share_of(const std::vector<ClipPlan>& plans, std::size_t clip) {
  double frames = 0.0;
  for (const ClipPlan& plan : plans) frames += plan.frames.frame_count;
  return plans[clip].frames.frame_count / frames;
}

}  // namespace throng::detail::bake
