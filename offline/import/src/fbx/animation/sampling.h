// SPDX-License-Identifier: Apache-2.0
#pragma once
// At which times a curve is looked at, so that straight lines between them follow it: its keys, the frames between keys
// that lie farther apart, and both sides of a step.

#include <vector>

#include "fbx/animation/curve.h"
#include "import_budget.h"

namespace throng::detail::fbx {

struct Span {
  double start = 0.0;
  double end = 0.0;
};

// A moment of the file, and the clip's time it is stored under.
struct Sample {
  double moment = 0.0;
  float time = 0.0f;
};

struct Sampling {
  Span span;                // of the file's time; nothing outside is looked at
  double shift = 0.0;       // what clip time is ahead of the file's
  double frame_rate = 0.0;  // 0: keys only
};

// Times strictly increase and none is negative. Empty where no curve has a key.
std::vector<Sample> sample_moments(const std::vector<const KeyCurve*>& curves, const Sampling& sampling);

// More between every two whose angles, three a sample, are so far apart that the short way round could be the wrong
// one. Fails before they are made where the budget has no room for them.
Result<void> add_between_turns(std::vector<Sample>& samples, const std::vector<double>& turns, import::Budget& budget);

}  // namespace throng::detail::fbx
