// SPDX-License-Identifier: Apache-2.0
#include "throng/base/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
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

// Every call waits until all threads are in one, so each thread has exactly one.
std::set<std::thread::id> threads_of_a_run(ThreadExecutor& executor, std::size_t threads) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::atomic<std::size_t> arrived{0};
  executor.run(threads, [&](std::size_t) {
    {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    }
    for (++arrived; arrived < threads;) std::this_thread::yield();
  });
  return ids;
}

TEST(ThreadExecutor, KeepsItsThreadsFromRunToRun) {
  ThreadExecutor executor(3);
  const std::set<std::thread::id> first = threads_of_a_run(executor, 3);
  EXPECT_EQ(first.size(), 3u);
  EXPECT_TRUE(first.contains(std::this_thread::get_id()));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(threads_of_a_run(executor, 3), first);
}

TEST(ThreadExecutor, UsesNoMoreThreadsThanThereAreCalls) {
  ThreadExecutor executor(4);
  EXPECT_EQ(threads_of_a_run(executor, 4).size(), 4u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(threads_of_a_run(executor, 2).size(), 2u);
}

TEST(ThreadExecutor, ThrowsToTheCallerWhatACallThrows) {
  for (const unsigned threads : {1u, 4u}) {
    ThreadExecutor executor(threads);
    std::atomic<int> calls{0};
    const auto body = [&](std::size_t i) {
      ++calls;
      if (i == 17) throw std::runtime_error("of call 17");
    };
    try {
      executor.run(100000, body);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "of call 17");
    }
    EXPECT_LT(calls, 100000);
    // And it still works.
    calls = 0;
    executor.run(10, body);
    EXPECT_EQ(calls, 10);
  }
}

TEST(ThreadExecutor, TakesRunsOfSeveralThreads) {
  ThreadExecutor executor(3);
  std::atomic<int> calls{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) executor.run(20, [&](std::size_t) { ++calls; });
      });
    }
  }
  EXPECT_EQ(calls, 4 * 50 * 20);
}

}  // namespace
}  // namespace throng
