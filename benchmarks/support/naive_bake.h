// SPDX-License-Identifier: Apache-2.0
#pragma once
// The classic quaternion layout as its papers have it: every quaternion stored with w ≥ 0, and neighbours mixed
// as they are, whichever hemisphere they lie in.

#include "throng/base/executor.h"
#include "throng/character/character.h"
#include "throng/model/model.h"

namespace throng::bench {

struct NaiveBake {
  ErrorFigures between;           // at seven points between every two frames; no rms
  std::size_t clips_flipped = 0;  // in which some bone's quaternion changes sign from one frame to the next
};

// `baked` is a half-quaternion bake of every clip of `source`, nothing taken off. What comes out is measured against
// the source's own curves, vertex by vertex, in double, as the bake's report is.
NaiveBake measure_naive_bake(const Model& source, const Character& baked, Executor& executor);

}  // namespace throng::bench
