// SPDX-License-Identifier: Apache-2.0
#include "core/job.h"

#include <algorithm>

namespace throng::studio {

JobRunner::~JobRunner() {
  for (Worker& worker : workers_) worker.thread.join();
}

void JobRunner::run(std::function<void()> body) {
  sweep();
  auto finished = std::make_shared<std::atomic<bool>>(false);
  std::thread thread([body = std::move(body), finished]() mutable {
    body();
    body = nullptr;  // what it held goes before anyone is told that it ended
    *finished = true;
  });
  workers_.push_back({std::move(thread), std::move(finished)});
}

std::size_t JobRunner::running() {
  sweep();
  return workers_.size();
}

void JobRunner::sweep() {
  std::erase_if(workers_, [](Worker& worker) {
    if (!*worker.finished) return false;
    worker.thread.join();
    return true;
  });
}

}  // namespace throng::studio
