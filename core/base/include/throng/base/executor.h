// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parallel work takes an executor; the library owns no thread the caller did not ask for.

#include <cstddef>
#include <functional>
#include <memory>

namespace throng {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // Calls body(0) to body(count - 1), each once, in any order and on any thread, and returns when all are done. What a
  // call throws is thrown again here, once no call is running any more; the calls not yet begun are then left out.
  // `body` must not call run() of the same executor.
  virtual void run(std::size_t count, const std::function<void(std::size_t)>& body) = 0;
};

// Runs everything in the calling thread.
class SerialExecutor final : public Executor {
 public:
  // One after another, in this thread.
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override;
};

// Runs on `threads` threads (0: one per core), the calling one among them. The others start when there is work for them
// and live, asleep between runs, as long as the executor does. Several threads may call run(): they take turns.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(unsigned threads = 0);  // a pool of that many threads, the caller's included; 0: one a core
  ~ThreadExecutor() override;
  // Shared out among the threads; returns when all is done.
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override;

 private:
  struct Pool;
  unsigned threads_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace throng
