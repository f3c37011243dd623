#pragma once
// Which clips are baked, at which times, whether they loop, and what is taken off of their way over the ground.

#include <optional>
#include <vector>

#include "motion/root_motion.h"
#include "throng/bake/bake.h"
#include "throng/bake/frame_plan.h"
#include "throng/pose/pose.h"

namespace throng::detail::bake {

struct ClipPlan {
  Clip clip;  // as it is baked: told to loop or not by the settings, in bone mode without its morph tracks
  FramePlan frames;
  // A loop whose last pose is not its first again: the way back from one to the other is the bake's, not the source's.
  bool open = false;
  std::optional<std::uint32_t> source = {};  // index in Model::clips(); none: the rest pose of a model without clips
  std::optional<RootPath> root = {};         // what is taken off of the poses; none: nothing

  double source_time(std::uint32_t frame, double blend) const;
  // Whether the source says what the pose at this time is.
  bool has_source(double source_time) const { return source_time <= clip.end + 1e-9; }
};

// The pose at a time that may lie past the end of an open loop, on its way back to the start, as the bake wants it:
// what is to be taken off of the root's motion is taken off.
Pose sample_planned(const Model& model, const ClipPlan& plan, double source_time);

// The same as model_from_bone of every bone, and as model_from_mesh of every binding.
std::vector<glm::dmat4> bones_at(const Model& model, const ClipPlan& plan, double source_time);
std::vector<glm::dmat4> palette_at(const Model& model, const ClipPlan& plan, double source_time);

// The way over the ground that was taken off, for BakedClip::root_motion: one sample a frame and, of a loop, one more
// for its whole turn; empty when it is not to be stored. The yaw runs on past ±π.
std::vector<RootSample> root_samples(const Model& model, const ClipPlan& plan);

// The same clip, told to loop or not and stripped alike, at another rate.
ClipPlan replanned(const ClipPlan& plan, double rate);

// candidate_rates() of the clip with its way back, if it has one.
std::vector<double> candidate_rates(const ClipPlan& plan, double wanted, double highest);

// Every chosen clip, or the model's rest pose as the only one when it has none. Guesses whether clips loop that are not
// told to, by the model or the settings, and says so in `notes`.
Result<std::vector<ClipPlan>> plan_clips(const Model& model, const BakeSettings& settings, double height,
                                         Executor& executor, std::vector<std::string>& notes);

}  // namespace throng::detail::bake
