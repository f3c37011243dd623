#pragma once
// A clip as the sampler reads it: lists of times, and at each time the values of every channel that has keys at those
// times, for four bones side by side. Between two keys a value goes straight; rotations are made unit again. A jump is
// two keys at one time, and the later one counts there.

#include <cstdint>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/pose/pose.h"

namespace throng {

struct Rig::Keys {
  struct MorphRun {
    std::uint32_t first = 0;  // of the rig's morph targets
    std::uint32_t count = 0;
  };

  // A row of values at each time: 16 floats for each of `rotations`, 12 for each of `translations` and `scales` (all
  // three name groups of four bones), then the morph runs. One row's end is the next one's beginning, so that a sample
  // reads two rows in a stream.
  struct List {
    std::vector<float> times;  // seconds from the clip's start; the first is 0, the last the clip's length
    std::vector<std::uint32_t> rotations, translations, scales;
    std::vector<MorphRun> morphs;
    std::size_t row = 0;  // floats
    std::vector<float> values;
  };

  float length = 0.0f;
  List still;               // one row: what the clip does not move
  std::vector<List> lists;  // two times or more each; one cursor each
};

// How far off the curves the keys may be.
struct KeyTolerances {
  double angle = 1e-4;     // radians
  double distance = 1e-5;  // in the model's units
  double factor = 1e-5;    // of scales and morph weights
};

Rig::Keys compile_keys(const Model& model, const Clip& clip, const KeyTolerances& tolerances);

}  // namespace throng
