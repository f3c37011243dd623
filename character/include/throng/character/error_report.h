// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far what a character plays is from what its artist made, as the bake measured it.

#include <string>

namespace throng {

// Distances in millimetres on a character 1.8 m tall.
struct ErrorFigures {
  double max_mm = 0.0;
  double p999_mm = 0.0;
  double rms_mm = 0.0;
  double normal_max_degrees = 0.0;
};

// The errors of one clip. `worst`: where the larger of the two maxima is; the time is the source's.
struct ClipError {
  ErrorFigures at_frames;
  ErrorFigures between;
  std::string worst_bone;
  double worst_time = 0.0;
};

// How far decoded poses are from the source's own curves, over every vertex: at the frames, and at seven moments
// between each pair and at every key (normals: half-way). The largest error of `between` is meant to hold at any time,
// the frames among them: what the error may rise to between two moments is estimated and added to it. Normals are
// compared as both sides blend them, the sum of what each bone makes of the normal. What leads from the last key of an
// open loop (one that ends a step before its first pose) back to that pose has no curve in the source to compare with,
// so `between` leaves it out.
struct ErrorReport {
  double mm_per_unit = 1.0;  // what turns model units into the millimetres above
  ErrorFigures at_frames;
  ErrorFigures between;
  std::string worst_clip;
  std::string worst_bone;
  double worst_time = 0.0;  // in the source's time
};

}  // namespace throng
