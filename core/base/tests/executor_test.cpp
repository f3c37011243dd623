#include "throng/base/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace throng {
namespace {

TEST(Executor, CallsEveryIndexOnceForAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    ThreadExecutor executor(threads);
    for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> calls(count);
      executor.run(count, [&](std::size_t i) { ++calls[i]; });
      for (const auto& call : calls) EXPECT_EQ(call, 1);
    }
  }
}

TEST(Executor, RunsInOrderInTheCallingThreadWhenSerial) {
  std::vector<std::size_t> order;
  SerialExecutor().run(4, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace throng
