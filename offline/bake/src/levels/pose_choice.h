// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which moments of the clips levels are looked at in. There are more than can be: those are taken that are most unlike
// each other, so that a short moment in a long clip, or one clip of a hundred, is not passed over.

#include "mesh/baked_mesh.h"
#include "motion/clip_plan.h"

namespace throng::detail::bake {

struct Moment {
  std::size_t plan = 0;
  double time = 0.0;  // the source's
};

// Up to `most` moments, each the most unlike those before it in how far apart vertices are; the first is the one in
// which the model is largest. They are chosen from among all frames at 30 a second, and those in which a scale or the
// weight of a morph target is largest and least; from fewer where the clips are very many or very long. The same for
// any executor.
std::vector<Moment> unlike_moments(const Model& model, const BakedMesh& mesh, const std::vector<ClipPlan>& plans,
                                   std::size_t most, Executor& executor);

}  // namespace throng::detail::bake
