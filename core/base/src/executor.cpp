#include "throng/base/executor.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace throng {

void SerialExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

ThreadExecutor::ThreadExecutor(unsigned threads)
    : threads_(threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {}

void ThreadExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) body(i);
  };
  const std::size_t helpers = count == 0 ? 0 : std::min<std::size_t>(threads_, count) - 1;
  std::vector<std::jthread> threads;
  threads.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
}

}  // namespace throng
