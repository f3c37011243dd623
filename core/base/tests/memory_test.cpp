// SPDX-License-Identifier: Apache-2.0
#include "throng/base/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace throng {
namespace {

TEST(WithinMemory, SaysSoWhereMemoryRunsOut) {
  const auto never = []() -> Result<int> { throw std::bad_alloc(); };
  EXPECT_EQ(within_memory("knight.glb", never).error().message, "knight.glb: out of memory");
  EXPECT_EQ(within_memory("", never).error().message, "out of memory");
  const auto more_than_any_has = []() -> Result<std::size_t> { return std::vector<int>(~std::size_t{0} / 2).size(); };
  EXPECT_EQ(within_memory("a", more_than_any_has).error().message, "a: out of memory");
}

TEST(WithinMemory, PassesResultsAndErrorsOn) {
  EXPECT_EQ(within_memory("a", []() -> Result<int> { return 7; }).value(), 7);
  EXPECT_EQ(within_memory("a", []() -> Result<int> { return fail("seven"); }).error().message, "seven");
}

}  // namespace
}  // namespace throng
