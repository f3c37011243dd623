// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a clip loops, from its first and last poses and from its name.

#include <functional>

#include "throng/clip_facts/decide.h"
#include "throng/pose/pose.h"

namespace throng::detail::clip_facts {

struct LoopGuess {
  bool loops = false;
  bool open = false;  // the last pose is one step before the first, not the first again
  double gap = 0.0;   // how far the last pose is from the first, the largest of all vertices
  LoopDoubt doubt = LoopDoubt::none;
};

// What the ends are looked at with.
struct LoopScale {
  double rate = 30.0;         // steps a second
  bool evenly_keyed = false;  // whether that is the source's own key rate
  double height = 1.0;        // of the model
};

// A clip that says whether it loops is believed; then only `open` is found. Else its name is, and where that says
// nothing, its poses are. `pose_at` gives the poses to compare, by the clip's own time: without root motion when that
// is taken off.
LoopGuess guess_loop(const Model& model, const Clip& clip, const std::function<Pose(double)>& pose_at,
                     const LoopScale& scale);

}  // namespace throng::detail::clip_facts
