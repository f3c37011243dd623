// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first pass of the vertex bake: the boxes that positions are measured in, and which clips need no frames of their
// own.

#include "vertices/vertex_frames.h"

namespace throng::detail::bake {

struct ClipSurvey {
  ClipRange range;
  bool constant = false;                    // every frame is the first
  std::optional<std::size_t> same_as = {};  // an earlier clip that has the same frames
};

// One per plan. Frames are looked at one by one and forgotten. An error names a clip that leaves the range of floats.
Result<std::vector<ClipSurvey>> survey_clips(const std::vector<ClipPlan>& plans, const VertexFrames& frames,
                                             double height, Executor& executor, const Progress& progress);

// The range of one clip alone, to try rates with.
Result<ClipRange> survey_range(const ClipPlan& plan, const VertexFrames& frames, Executor& executor);

}  // namespace throng::detail::bake
