// SPDX-License-Identifier: Apache-2.0
#include "vertices/vertex_survey.h"

#include <algorithm>
#include <cmath>

#include "motion/frame_jobs.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

constexpr double kStill = 1e-6;  // of the model's height: 2 µm on a character is no movement

struct FrameSurvey {
  Bounds box;
  bool as_first = false;
  std::uint64_t hash = 0;
};

std::uint64_t hash_of(const SkinPose& pose) {
  std::uint64_t hash = hash64(as_bytes(pose.matrices)) ^ (hash64(as_bytes(pose.sockets)) << 1);
  for (const auto& steps : pose.morph_steps) hash = hash * 0x9E3779B97F4A7C15u + hash64(as_bytes(steps));
  return hash;
}

Result<ClipRange> checked_range(const ClipPlan& plan, const Bounds& box) {
  const double farthest = std::max(glm::length(box.min), glm::length(box.max));
  constexpr double kFarthest = 1e37;  // as far as the asset's format lets anything be
  if (farthest <= kFarthest) return range_of(box);
  return fail("clip '{}' moves vertices out of all range", plan.clip.name);
}

bool same_frames(std::span<const FrameSurvey> a, std::span<const FrameSurvey> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const FrameSurvey& x, const FrameSurvey& y) { return x.hash == y.hash; });
}

// What is kept beside the poses has a sample a frame, so the frames must stay even where they are alike.
bool is_constant(const ClipPlan& plan, std::span<const FrameSurvey> frames) {
  if (plan.root && plan.stores_root) return false;
  return std::all_of(frames.begin(), frames.end(), [](const FrameSurvey& frame) { return frame.as_first; });
}

}  // namespace

Result<std::vector<ClipSurvey>> survey_clips(const std::vector<ClipPlan>& plans, const VertexFrames& frames,
                                             double height, Executor& executor, const Progress& progress) {
  const FrameJobs jobs(plans);
  std::vector<SkinPose> first_poses;
  for (const ClipPlan& plan : plans) first_poses.push_back(frames.skinner().pose_at(plan, plan.source_time(0, 0.0)));
  std::vector<FrameSurvey> seen(jobs.count());
  jobs.run(executor, progress, "sample", [&](std::size_t job, std::size_t clip, std::uint32_t frame) {
    const SkinPose pose = frames.skinner().pose_at(plans[clip], plans[clip].source_time(frame, 0.0));
    seen[job] = {frames.box(pose), frames.skinner().same(first_poses[clip], pose, kStill * height), hash_of(pose)};
  });
  std::vector<ClipSurvey> surveys(plans.size());
  const auto frames_of = [&](std::size_t clip) {
    const std::size_t count = surveys[clip].constant ? 1 : plans[clip].frames.frame_count;
    return std::span<const FrameSurvey>(seen).subspan(jobs.first(clip), count);
  };
  for (std::size_t clip = 0; clip < plans.size(); ++clip) {
    surveys[clip].constant = is_constant(plans[clip], frames_of(clip));
    Bounds box;
    for (const FrameSurvey& frame : frames_of(clip)) box.add(frame.box);
    THRONG_TRY(surveys[clip].range, checked_range(plans[clip], box));
    for (std::size_t other = 0; other < clip && !surveys[clip].same_as; ++other) {
      if (!surveys[other].same_as && same_frames(frames_of(other), frames_of(clip))) surveys[clip].same_as = other;
    }
  }
  return surveys;
}

Result<ClipRange> survey_range(const ClipPlan& plan, const VertexFrames& frames, Executor& executor) {
  std::vector<Bounds> boxes(plan.frames.frame_count);
  executor.run(boxes.size(), [&](std::size_t frame) {
    const double time = plan.source_time(static_cast<std::uint32_t>(frame), 0.0);
    boxes[frame] = frames.box(frames.skinner().pose_at(plan, time));
  });
  Bounds box;
  for (const Bounds& one : boxes) box.add(one);
  return checked_range(plan, box);
}

}  // namespace throng::detail::bake
