// SPDX-License-Identifier: Apache-2.0
#include "motion/frame_jobs.h"

#include <mutex>

namespace throng::detail::bake {

FrameJobs::FrameJobs(const std::vector<ClipPlan>& plans) {
  for (std::size_t clip = 0; clip < plans.size(); ++clip) {
    first_.push_back(clip_of_.size());
    clip_of_.insert(clip_of_.end(), plans[clip].frames.frame_count, clip);
  }
}

void FrameJobs::run(Executor& executor, const Progress& progress, std::string_view what,
                    const std::function<void(std::size_t, std::size_t, std::uint32_t)>& body) const {
  std::mutex mutex;
  std::size_t done = 0;
  report(progress, what, 0.0);
  executor.run(count(), [&](std::size_t job) {
    const std::size_t clip = clip_of_[job];
    body(job, clip, static_cast<std::uint32_t>(job - first_[clip]));
    const std::lock_guard lock(mutex);
    report(progress, what, static_cast<double>(++done) / static_cast<double>(count()));
  });
}

}  // namespace throng::detail::bake
