// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace throng::detail::bake {
namespace {

constexpr double kMostEvaluations = 4e9;  // above it, vertices between frames are taken in turns
constexpr std::uint32_t kJobs = 512;      // about: enough to keep any number of cores busy to the end

struct Job {
  std::size_t clip = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// What a job leaves behind: sums are added in the jobs' order at the end, the rest is the same in any order.
struct JobResult {
  CompareExtremes extremes;
  double at_frames_sum = 0.0;
  double between_sum = 0.0;
};

bool is_known(const MeasuredClips& known, std::size_t clip) { return clip < known.size() && known[clip]; }

// Tallies of the clips that are being measured; they are large, so they live only from a clip's first job to its last.
struct ClipTally {
  std::unique_ptr<ErrorTally> at_frames, between;
  std::size_t jobs_left = 0;
  double at_frames_max = 0.0, at_frames_p999 = 0.0;  // in model units, as the next ones
  double between_max = 0.0, between_p999 = 0.0;
  std::uint64_t at_frames_count = 0, between_count = 0;
  JobResult known;  // of a clip that was measured before
};

class Measurement {
 public:
  Measurement(std::vector<Job> jobs, std::size_t clips, const Progress& progress)
      : jobs_(std::move(jobs)), results_(jobs_.size()), clips_(clips), progress_(progress) {
    for (const Job& job : jobs_) ++clips_[job.clip].jobs_left;
  }

  const std::vector<Job>& jobs() const { return jobs_; }

  void take(std::size_t index, const CompareResult& result) {
    results_[index] = {result.extremes, result.at_frames.sum(), result.between.sum()};
    const std::lock_guard lock(mutex_);
    ClipTally& clip = clips_[jobs_[index].clip];
    if (!clip.at_frames) {
      // Both or, where there is no memory for the second, neither: other jobs of the clip may come after.
      auto at_frames = std::make_unique<ErrorTally>();
      clip.between = std::make_unique<ErrorTally>();
      clip.at_frames = std::move(at_frames);
    }
    clip.at_frames->add_all_but_sum(result.at_frames);
    clip.between->add_all_but_sum(result.between);
    if (--clip.jobs_left == 0) finish(clip);
    report(progress_, "measure", static_cast<double>(++done_) / static_cast<double>(jobs_.size()));
  }

  // A clip that no job is for.
  void take_known(std::size_t index, const MeasuredClip& measured) {
    ClipTally& clip = clips_[index];
    clip.at_frames = std::make_unique<ErrorTally>();
    clip.between = std::make_unique<ErrorTally>();
    clip.at_frames->add_all_but_sum(measured.at_frames);
    clip.between->add_all_but_sum(measured.between);
    clip.known = {measured.extremes, measured.at_frames.sum, measured.between.sum};
    finish(clip);
  }

  // Call in the jobs' order, after the last was taken.
  void fill(const BoneOfVertex& bone_of, CharacterDraft& model);

 private:
  void finish(ClipTally& clip) {
    clip.at_frames_max = clip.at_frames->max();
    clip.at_frames_p999 = clip.at_frames->p999();
    clip.at_frames_count = clip.at_frames->count();
    clip.between_max = clip.between->max();
    clip.between_p999 = clip.between->p999();
    clip.between_count = clip.between->count();
    at_frames_.add_all_but_sum(*clip.at_frames);
    between_.add_all_but_sum(*clip.between);
    clip.at_frames.reset();
    clip.between.reset();
  }

  std::vector<Job> jobs_;
  std::vector<JobResult> results_;
  std::vector<ClipTally> clips_;
  ErrorTally at_frames_, between_;
  const Progress& progress_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

double degrees_of(double normal_squared) {
  constexpr double kDegrees = 57.29577951308232;
  return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(normal_squared))) * kDegrees;
}

double rms_of(double sum, std::uint64_t count) {
  return count == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(count));
}

void Measurement::fill(const BoneOfVertex& bone_of, CharacterDraft& model) {
  const double mm = model.error.mm_per_unit;
  std::vector<JobResult> clips;
  for (const ClipTally& clip : clips_) clips.push_back(clip.known);
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobResult& clip = clips[jobs_[i].clip];
    clip.extremes.add(results_[i].extremes);
    clip.at_frames_sum += results_[i].at_frames_sum;
    clip.between_sum += results_[i].between_sum;
  }
  CompareExtremes total;
  model.bounds = {};
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const CompareExtremes& e = clips[i].extremes;
    const ClipTally& tally = clips_[i];
    BakedClip& clip = model.clips[i];
    clip.error.at_frames = {tally.at_frames_max * mm, tally.at_frames_p999 * mm,
                            rms_of(clips[i].at_frames_sum, tally.at_frames_count) * mm, degrees_of(e.normal_at_frames)};
    clip.error.between = {tally.between_max * mm, tally.between_p999 * mm,
                          rms_of(clips[i].between_sum, tally.between_count) * mm, degrees_of(e.normal_between)};
    clip.error.worst_bone = bone_of(e.worst.vertex);
    clip.error.worst_time = e.worst.time;
    clip.bounds = e.grown_bounds();
    model.bounds.add(clip.bounds);
    if (e.worst.squared > total.worst.squared) {
      model.error.worst_clip = clip.name;
      model.error.worst_bone = clip.error.worst_bone;
      model.error.worst_time = clip.error.worst_time;
    }
    total.add(e);
    at_frames_.add_sum(clips[i].at_frames_sum);
    between_.add_sum(clips[i].between_sum);
  }
  model.error.at_frames = {at_frames_.max() * mm, at_frames_.p999() * mm, at_frames_.rms() * mm,
                           degrees_of(total.normal_at_frames)};
  model.error.between = {between_.max() * mm, between_.p999() * mm, between_.rms() * mm,
                         degrees_of(total.normal_between)};
}

// Counts the frames that are still to be measured.
std::uint64_t count_frames(const CharacterDraft& model, const MeasuredClips& known) {
  std::uint64_t frames = 0;
  for (std::size_t i = 0; i < model.clips.size(); ++i) frames += is_known(known, i) ? 0 : model.clips[i].frame_count;
  return frames;
}

std::vector<Job> make_jobs(const CharacterDraft& model, const MeasuredClips& known) {
  const auto chunk = static_cast<std::uint32_t>(1 + count_frames(model, known) / kJobs);
  std::vector<Job> jobs;
  for (std::size_t clip = 0; clip < model.clips.size(); ++clip) {
    const std::uint32_t frames = is_known(known, clip) ? 0 : model.clips[clip].frame_count;
    for (std::uint32_t first = 0; first < frames; first += chunk) {
      jobs.push_back({clip, first, std::min(chunk, frames - first)});
    }
  }
  return jobs;
}

// Weights of morph targets turn a corner at each of their rows, and are off most half-way between two.
void add_row_corners(const ClipPlan& plan, std::uint32_t steps, std::vector<Corner>& corners) {
  if (steps == 0) return;
  const std::uint32_t looks = 2 * steps;
  for (std::uint32_t frame = 0; frame < plan.frames.frame_count; ++frame) {
    for (std::uint32_t i = 1; i < looks; ++i)
      corners.push_back({plan.source_time(frame, static_cast<double>(i) / looks), false});
  }
  std::ranges::stable_sort(corners, {}, &Corner::time);
}

}  // namespace

std::size_t compare_stride(std::size_t vertices, CharacterDraft& model, const MeasuredClips& known) {
  const double evaluations =
      static_cast<double>(count_frames(model, known)) * kLooksPerInterval * static_cast<double>(vertices);
  const std::size_t stride = 1 + static_cast<std::size_t>(evaluations / kMostEvaluations);
  if (stride > 1) {
    model.notes.push_back(fmt::format("error between frames measured at every {}th group of vertices in turn", stride));
  }
  return stride;
}

void measure_frames(const CompareClipFrames& compare, const BoneOfVertex& bone_of, Executor& executor,
                    const Progress& progress, CharacterDraft& model, const MeasuredClips& known) {
  report(progress, "measure", 0.0);
  Measurement measurement(make_jobs(model, known), model.clips.size(), progress);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) measurement.take_known(i, *known[i]);
  }
  executor.run(measurement.jobs().size(), [&](std::size_t i) {
    const Job& job = measurement.jobs()[i];
    CompareResult result;
    compare(job.clip, job.first, job.count, result);
    measurement.take(i, result);
  });
  measurement.fill(bone_of, model);
  report(progress, "measure", 1.0);
}

void measure(const Model& source, const std::vector<ClipPlan>& plans, const ComparedPoints& points, Executor& executor,
             const Progress& progress, CharacterDraft& model, const MeasuredClips& known) {
  const std::size_t stride = compare_stride(points.all.size(), model, known);
  std::vector<std::vector<Corner>> corners;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    corners.push_back(corners_of(plans[i].clip));
    add_row_corners(plans[i], model.clips[i].morph_steps, corners.back());
  }
  const auto compare = [&](std::size_t clip, std::uint32_t first, std::uint32_t count, CompareResult& result) {
    compare_frames({source, points, model, model.clips[clip], plans[clip], corners[clip], stride}, first, count,
                   result);
  };
  const auto bone_of = [&](std::uint32_t vertex) { return model.bones[model.vertices[vertex].bones[0]].name; };
  measure_frames(compare, bone_of, executor, progress, model, known);
}

}  // namespace throng::detail::bake
