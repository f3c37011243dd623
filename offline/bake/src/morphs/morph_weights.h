// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far the kept morph targets are in, row by row of every clip. A face may move faster than the bones, so a clip has
// as many rows between two frames as its weights need.

#include "morphs/morph_deltas.h"

namespace throng::detail::bake {

// The weights of one clip.
struct MorphTrackRows {
  std::uint32_t steps = 0;      // rows from each frame to the next; 0: one row is all there is
  std::vector<double> weights;  // beyond rest, rows of one a channel
  double error = 0.0;           // how far any vertex is off because of what lies between two rows, at most; model units
};

MorphTrackRows sample_weights(const Model& model, const MorphPlan& morphs, const ClipPlan& plan, bool moves);

// Puts targets, weights and deltas into a draft whose clips are in place, one for each of `tracks`.
void store_morphs(MorphDeltas deltas, const std::vector<MorphTrackRows>& tracks, CharacterDraft& model);

}  // namespace throng::detail::bake
