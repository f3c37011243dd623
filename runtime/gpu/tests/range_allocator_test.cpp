// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/range_allocator.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace throng {
namespace {

TEST(RangeAllocator, AlignsAndRefusesWhatDoesNotFit) {
  RangeAllocator ranges(1000);
  EXPECT_EQ(ranges.allocate(10, 1), 0u);
  EXPECT_EQ(ranges.allocate(10, 256), 256u);
  EXPECT_EQ(ranges.allocate(735, 1), std::nullopt);
  EXPECT_EQ(ranges.allocate(734, 1), 266u);
  EXPECT_EQ(ranges.allocate(246, 1), 10u);
  EXPECT_EQ(ranges.used(), 1000u);
  EXPECT_EQ(ranges.allocate(1, 1), std::nullopt);
}

TEST(RangeAllocator, TakesTheSmallestRangeThatFits) {
  RangeAllocator ranges(1000);
  const auto large = ranges.allocate(500, 1);
  ASSERT_TRUE(ranges.allocate(10, 1));
  const auto small = ranges.allocate(100, 1);
  ASSERT_TRUE(ranges.allocate(390, 1));
  ranges.free(*large);
  ranges.free(*small);
  EXPECT_EQ(ranges.allocate(90, 1), small);
}

TEST(RangeAllocator, FreedNeighboursBecomeOneInAnyOrder) {
  RangeAllocator ranges(300);
  std::vector<std::uint64_t> offsets;
  for (int i = 0; i < 3; ++i) offsets.push_back(*ranges.allocate(100, 1));
  ranges.free(offsets[0]);
  ranges.free(offsets[2]);
  EXPECT_EQ(ranges.free_ranges(), 2u);
  ranges.free(offsets[1]);
  EXPECT_EQ(ranges.free_ranges(), 1u);
  EXPECT_TRUE(ranges.empty());
  EXPECT_EQ(ranges.allocate(300, 1), 0u);
}

struct Held {
  std::uint64_t offset, size;
};

bool overlap(const Held& a, const Held& b) { return a.offset < b.offset + b.size && b.offset < a.offset + a.size; }

TEST(RangeAllocator, NeverHandsOutTheSameByteTwice) {
  constexpr std::uint64_t kCapacity = 1 << 16;
  std::mt19937 random(7);
  RangeAllocator ranges(kCapacity);
  std::vector<Held> held;
  std::size_t allocations = 0, refusals = 0;
  for (int step = 0; step < 20000; ++step) {
    if (held.empty() || random() % 5 < 3) {
      const std::uint64_t size = 1 + random() % 3000;
      const std::uint64_t alignment = std::uint64_t{1} << (random() % 9);
      const auto offset = ranges.allocate(size, alignment);
      if (!offset) {
        ++refusals;
        continue;
      }
      ++allocations;
      const Held got{*offset, size};
      ASSERT_EQ(got.offset % alignment, 0u);
      ASSERT_LE(got.offset + got.size, kCapacity);
      for (const Held& other : held) ASSERT_FALSE(overlap(got, other));
      held.push_back(got);
    } else {
      const std::size_t victim = random() % held.size();
      ranges.free(held[victim].offset);
      held[victim] = held.back();
      held.pop_back();
    }
    std::uint64_t sum = 0;
    for (const Held& one : held) sum += one.size;
    ASSERT_EQ(ranges.used(), sum);
  }
  EXPECT_GT(allocations, 1000u);
  EXPECT_GT(refusals, 100u);
  for (const Held& one : held) ranges.free(one.offset);
  EXPECT_EQ(ranges.free_ranges(), 1u);
  EXPECT_EQ(ranges.used(), 0u);
}

}  // namespace
}  // namespace throng
