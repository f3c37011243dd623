// SPDX-License-Identifier: Apache-2.0
#include "throng/base/executor.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace throng {
namespace {

// One run: its calls are handed out by a counter to whoever works on it.
class Run {
 public:
  Run(std::size_t count, const std::function<void(std::size_t)>& body) : count_(count), body_(body) {}

  void work() noexcept {
    try {
      for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) body_(i);
    } catch (...) {
      next_ = count_;  // a few threads may each add one to it: far from wrapping round
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }

  // Call when all workers have finished.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>& body_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace

void SerialExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

struct ThreadExecutor::Pool {
  std::mutex one_run;  // held by whoever runs

  std::mutex mutex;  // guards what follows
  std::condition_variable run_began;
  std::condition_variable helper_left;
  Run* current = nullptr;
  std::size_t begun = 0;    // runs so far, so that a helper joins each once
  std::size_t wanted = 0;   // helpers that may still join the current run
  std::size_t working = 0;  // helpers at work
  bool closing = false;
  std::vector<std::thread> helpers;

  ~Pool() {
    {
      const std::lock_guard lock(mutex);
      closing = true;
    }
    run_began.notify_all();
    for (std::thread& helper : helpers) helper.join();
  }

  void help() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      run_began.wait(lock, [&] { return closing || (current != nullptr && begun != seen); });
      if (closing) return;
      seen = begun;
      if (wanted == 0) continue;
      --wanted;
      ++working;
      Run& run = *current;
      lock.unlock();
      run.work();
      lock.lock();
      if (--working == 0) helper_left.notify_one();
    }
  }

  // Starts fewer when the system gives no more.
  void start_helpers(std::size_t count) {
    try {
      while (helpers.size() < count) helpers.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }

  void run(Run& work, std::size_t helper_count) {
    const std::lock_guard alone(one_run);
    start_helpers(helper_count);
    {
      const std::lock_guard lock(mutex);
      current = &work;
      wanted = helper_count;
      ++begun;
    }
    run_began.notify_all();
    work.work();
    std::unique_lock lock(mutex);
    current = nullptr;  // nobody joins any more
    helper_left.wait(lock, [&] { return working == 0; });
  }
};

ThreadExecutor::ThreadExecutor(unsigned threads)
    : threads_(threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency())),
      pool_(std::make_unique<Pool>()) {}

ThreadExecutor::~ThreadExecutor() = default;

void ThreadExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  const std::size_t used = std::min<std::size_t>(threads_, count);
  if (used <= 1) return SerialExecutor().run(count, body);
  Run work(count, body);
  pool_->run(work, used - 1);
  work.rethrow();
}

}  // namespace throng
