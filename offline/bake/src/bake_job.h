// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a bake of either mode starts from.

#include "motion/clip_plan.h"

namespace throng::detail::bake {

struct BakeJob {
  const Model& source;
  const BakeSettings& settings;
  Executor& executor;
  const Progress& progress;
  double height = 1.0;  // of the model: what a millimetre is
  std::vector<ClipPlan> plans;
  std::vector<std::string> notes;
};

}  // namespace throng::detail::bake
