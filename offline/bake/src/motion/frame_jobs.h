// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every frame of every clip as one piece of work.

#include <functional>

#include "motion/clip_plan.h"

namespace throng::detail::bake {

class FrameJobs {
 public:
  explicit FrameJobs(const std::vector<ClipPlan>& plans);

  std::size_t count() const { return clip_of_.size(); }
  // The number of a clip's first frame; the others follow.
  std::size_t first(std::size_t clip) const { return first_[clip]; }

  // Calls body(number, clip, frame) once for each, in any order on any thread, and reports how far it is.
  void run(Executor& executor, const Progress& progress, std::string_view what,
           const std::function<void(std::size_t, std::size_t, std::uint32_t)>& body) const;

 private:
  std::vector<std::size_t> first_;
  std::vector<std::size_t> clip_of_;
};

}  // namespace throng::detail::bake
