#pragma once
// Parallel work takes an executor; the library owns no thread the caller did not ask for.

#include <cstddef>
#include <functional>

namespace throng {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // Calls body(0) … body(count - 1), each once, in any order and on any thread, and returns when all are done. `body`
  // must not throw and must not call run() of the same executor.
  virtual void run(std::size_t count, const std::function<void(std::size_t)>& body) = 0;
};

// Runs everything in the calling thread.
class SerialExecutor final : public Executor {
 public:
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override;
};

// Runs on `threads` threads (0: one per core), the calling one among them, started per run and joined before it
// returns.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(unsigned threads = 0);
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override;

 private:
  unsigned threads_;
};

}  // namespace throng
