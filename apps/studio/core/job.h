// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that a window must not wait for. Each piece runs on a thread of its own, says how far it is, and is either
// looked in on until it is done or left to itself: nobody hears of a job whose handle is gone.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "throng/base/progress.h"
#include "throng/base/result.h"

namespace throng::studio {

struct WorkProgress {
  std::string what;
  double done = 0.0;  // 0 to 1
};

// What the worker and the window both see of a job.
template <class T>
struct JobState {
  mutable std::mutex mutex;
  WorkProgress progress;
  std::optional<Result<T>> result;
};

// The window's end of a job. Not for several threads.
template <class T>
class Job {
 public:
  explicit Job(std::shared_ptr<JobState<T>> state) : state_(std::move(state)) {}

  bool done() const {
    const std::lock_guard lock(state_->mutex);
    return state_->result.has_value();
  }
  WorkProgress progress() const {
    const std::lock_guard lock(state_->mutex);
    return state_->progress;
  }
  // Once, and only when it is done.
  Result<T> take() {
    const std::lock_guard lock(state_->mutex);
    return *std::move(state_->result);
  }

 private:
  std::shared_ptr<JobState<T>> state_;
};

// Runs the work; what it throws (memory running out) becomes an error.
template <class T, class Work>
Result<T> run_guarded(const Work& work, const Progress& progress) {
  try {
    return work(progress);
  } catch (const std::exception& error) {
    return fail("the work was given up: {}", error.what());
  }
}

// Owns the threads.
class JobRunner {
 public:
  JobRunner() = default;
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;
  ~JobRunner();  // waits for all of them

  // `work` takes a Progress and returns a Result<T>; it must own, or share, all it uses.
  template <class T, class Work>
  Job<T> start(Work work) {
    auto state = std::make_shared<JobState<T>>();
    run([state, work = std::move(work)] {
      const Progress progress = [&state](std::string_view what, double done) {
        const std::lock_guard lock(state->mutex);
        state->progress = {std::string(what), done};
      };
      Result<T> result = run_guarded<T>(work, progress);
      const std::lock_guard lock(state->mutex);
      state->result = std::move(result);
    });
    return Job<T>(std::move(state));
  }

  // How many threads are still at work, those that were left to themselves among them.
  std::size_t running();

 private:
  struct Worker {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> finished;
  };

  void run(std::function<void()> body);
  void sweep();

  std::vector<Worker> workers_;
};

}  // namespace throng::studio
