// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which clips are baked and at which times, and what is taken off of their root motion.

#include <optional>
#include <vector>

#include "throng/bake/bake.h"
#include "throng/bake/frame_plan.h"
#include "throng/clip_facts/decide.h"
#include "throng/pose/pose.h"

namespace throng::detail::bake {

struct ClipPlan {
  Clip clip;  // as it is baked: told to loop or not by the settings, without morph tracks that are to be dropped
  ClipFacts facts;
  FramePlan frames;
  std::optional<std::uint32_t> source = {};  // index in Model::clips(); none: the rest pose of a model without clips
  std::optional<RootPath> root = {};         // whose motion is taken off of the poses; nothing: it stays in them
  bool stores_root = false;                  // whether what is taken off is kept beside the poses

  double source_time(std::uint32_t frame, double blend) const;
  // Whether the source says what the pose at this time is; it does not on the seam of an open loop.
  bool has_source(double source_time) const { return source_time <= clip.end + 1e-9; }
};

// The pose at a time that may lie on the seam of an open loop, between its last pose and its first, as the bake wants
// it: without the root motion that is to be taken off.
Pose sample_planned(const Model& model, const ClipPlan& plan, double source_time);

// The same as model_from_bone of every bone, and as model_from_mesh of every binding.
std::vector<glm::dmat4> bones_at(const Model& model, const ClipPlan& plan, double source_time);
std::vector<glm::dmat4> palette_at(const Model& model, const ClipPlan& plan, double source_time);

// The root motion that was taken off, for BakedClip::root_motion: one sample a frame and, of a loop, one more for its
// whole cycle; empty when it is not to be stored. The yaw is continuous.
std::vector<GroundMotion> root_samples(const Model& model, const ClipPlan& plan);

// The same clip, told to loop or not and stripped alike, at another rate. A plan holds the clip's keys: who weighs many
// rates keeps their frames alone.
FramePlan replanned_frames(const ClipPlan& plan, double rate);
ClipPlan replanned(const ClipPlan& plan, const FramePlan& frames);
ClipPlan replanned(const ClipPlan& plan, double rate);

// candidate_rates() of the clip, the seam of an open loop among it.
std::vector<double> candidate_rates(const ClipPlan& plan, double wanted, double highest);

// What a bake says of itself besides its figures.
struct Remarks {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  // what somebody should look at
};

// Every chosen clip, or the model's rest pose as the only one when it has none, with its facts decided. The remarks say
// of which clips it was guessed whether they loop.
Result<std::vector<ClipPlan>> plan_clips(const Model& model, const BakeSettings& settings, Executor& executor,
                                         Remarks& remarks);

}  // namespace throng::detail::bake
