#pragma once
// Which clips are baked, at which times, and whether they loop.

#include <vector>

#include "throng/bake/bake.h"
#include "throng/bake/frame_plan.h"
#include "throng/pose/pose.h"

namespace throng {

struct ClipPlan {
  Clip clip;  // without its morph tracks
  FramePlan frames;
  // A loop whose last pose is not its first again: the way back from one to the other is the bake's, not the source's.
  bool open = false;

  double source_time(std::uint32_t frame, double blend) const;
  // Whether the source says what the pose at this time is.
  bool has_source(double source_time) const { return source_time <= clip.end + 1e-9; }
};

// The source's pose at a time that may lie past the end of an open loop, on its way back to the start.
Pose sample_planned(const Model& model, const ClipPlan& plan, double source_time);

// model_from_bone of every bone, and model_from_mesh of every binding, at such a time, as the bake wants them: what is
// to be taken off of the root's motion is taken off.
std::vector<glm::dmat4> bones_at(const Model& model, const ClipPlan& plan, double source_time);
std::vector<glm::dmat4> palette_at(const Model& model, const ClipPlan& plan, double source_time);

// Every clip of the model, or its rest pose as the only one. Guesses whether clips loop that do not say it and tells so
// in `notes`.
std::vector<ClipPlan> plan_clips(const Model& model, const BakeSettings& settings, double height, Executor& executor,
                                 std::vector<std::string>& notes);

}  // namespace throng
