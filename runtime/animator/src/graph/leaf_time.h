// SPDX-License-Identifier: Apache-2.0
#pragma once
// Normalised time as whole loops and a phase, and where a clip of a motion is at such a time.

#include <algorithm>
#include <cmath>

#include "graph/graph_data.h"

namespace throng::detail::animator {

// Normalised times nearer than this are one: what is left of a moment that was computed in two ways.
inline constexpr double kSameTime = 1e-9;

// The phase is in [0, 1); in a clip that does not loop, loops is 0 and the phase in [0, 1].
struct LoopTime {
  double loops = 0.0;
  double phase = 0.0;

  double total() const { return loops + phase; }
};

inline LoopTime carried(double loops, double phase) {
  if (phase >= 0.0 && phase < 1.0) return {loops, phase};  // as nearly always
  const double whole = std::floor(phase);
  LoopTime time{loops + whole, phase - whole};
  // A phase a hair below 0 is rounded up to a whole loop.
  if (time.phase >= 1.0) time = {time.loops + 1.0, 0.0};
  return time;
}

inline LoopTime leaf_time(const Leaf& leaf, double cycle_offset, const LoopTime& at) {
  if (!leaf.loops) {
    const double place = std::clamp(at.total(), 0.0, 1.0);
    return {0.0, leaf.reversed ? 1.0 - place : place};
  }
  const LoopTime shifted = carried(at.loops, at.phase + cycle_offset);
  return leaf.reversed ? carried(-shifted.loops, 1.0 - shifted.phase) : shifted;
}

}  // namespace throng::detail::animator
