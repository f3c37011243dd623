// SPDX-License-Identifier: Apache-2.0
#pragma once
// One frame of a clip, and the interval to the next, decoded and as the source's curves have it.

#include "measure/compared_points.h"
#include "measure/error_tally.h"
#include "measure/looks.h"

namespace throng::detail::bake {

struct CompareTask {
  const Model& source;
  const ComparedPoints& points;
  const CharacterDraft& model;  // texels, table, bones and skeleton in place
  const BakedClip& clip;
  const ClipPlan& plan;
  const std::vector<Corner>& corners;  // of the plan's clip
  std::size_t stride = 1;              // between frames, every which block of vertices is taken
  // A quick task looks half as often, and takes the errors that it sees for the largest: they never are more. A full
  // one adds how far the error may rise between two looks.
  bool quick = false;
};

struct WorstPoint {
  double squared = -1.0;
  std::uint32_t vertex = 0;
  double time = 0.0;  // the source's

  void add(const WorstPoint& other) {
    if (other.squared > squared) *this = other;
  }
};

// The result but for the tallies, which are large.
struct CompareExtremes {
  double normal_at_frames = 0.0;  // longest difference of two unit normals, squared
  double normal_between = 0.0;
  WorstPoint worst;
  Bounds bounds;       // decoded and source
  double bulge = 0.0;  // longest bend of a decoded path, squared

  void add(const CompareExtremes& other);
  // Paths bulge past the points they were looked at by at most an eighth of their bend; twice that is added, and what
  // floats round to.
  Bounds grown_bounds() const;
};

struct CompareResult {
  ErrorTally at_frames, between;
  CompareExtremes extremes;

  // The largest error of an interval, the frame among it, and by how much more it may have been between two looks. A
  // clip of one frame has nothing between.
  void add_peak(const WorstPoint& seen, double rise, bool one_frame);
};

// Adds frames [first, first + count) of the task's clip to `result`.
void compare_frames(const CompareTask& task, std::uint32_t first, std::uint32_t count, CompareResult& result);

}  // namespace throng::detail::bake
