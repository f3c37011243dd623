#pragma once
// Whether a clip loops, from its first and last poses.

#include "throng/model/model.h"

namespace throng {

struct LoopGuess {
  bool loops = false;
  bool open = false;  // the last pose is one step before the first, not the first again
};

// `rate`: steps a second the ends are looked at in; `evenly_keyed`: whether that is the source's own key rate.
// `height`: of the model. A clip that says whether it loops is believed; then only `open` is found.
LoopGuess guess_loop(const Model& model, const Clip& clip, double rate, bool evenly_keyed, double height);

}  // namespace throng
