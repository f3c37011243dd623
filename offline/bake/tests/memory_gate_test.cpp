// SPDX-License-Identifier: Apache-2.0
#include "memory_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "throng/base/executor.h"

namespace throng::detail::bake {
namespace {

TEST(MemoryGate, LetsThreadsInForAsManyBytesAsThereAre) {
  MemoryGate gate(10.0);
  ThreadExecutor executor(4);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  executor.run(400, [&](std::size_t i) {
    const int bytes = 1 + static_cast<int>(i % 7);
    gate.with(bytes, [&] {
      const int here = inside += bytes;
      int known = most;
      while (known < here && !most.compare_exchange_weak(known, here)) {
      }
      inside -= bytes;
    });
  });
  EXPECT_LE(most, 10);
  EXPECT_EQ(inside, 0);
}

TEST(MemoryGate, LetsOneOfTheThreadsInAloneWhereItNeverFits) {
  MemoryGate gate(0.0);
  ThreadExecutor executor(4);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  executor.run(100, [&](std::size_t) {
    gate.with(5.0, [&] {
      most = std::max(most.load(), ++inside);
      --inside;
    });
  });
  EXPECT_EQ(most, 1);
}

TEST(MemoryGate, GivesBackTheRoomOfWorkThatFails) {
  MemoryGate gate(10.0);
  EXPECT_THROW(gate.with(10.0, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(gate.with(10.0, [] { return 7; }), 7);
}

}  // namespace
}  // namespace throng::detail::bake
