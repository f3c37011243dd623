// SPDX-License-Identifier: Apache-2.0
#include "throng/base/keep.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

// Told by its owners: freed memory may still look right.
TEST(Keep, KeepsWhatItIsGivenAsLongAsACopyOfTheBytesIsThere) {
  const auto owner = std::make_shared<const int>(7);
  SharedBytes bytes(std::vector<std::byte>{std::byte{1}, std::byte{2}});
  const SharedBytes before = bytes;
  const std::span<const int> numbers = keep(bytes, std::vector<int>{5, 6});
  keep(bytes, owner);
  EXPECT_EQ(bytes.data(), before.data()) << "it shows what it showed";
  EXPECT_EQ(bytes.size(), before.size());
  SharedBytes copy = bytes;
  bytes = {};
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(numbers[0] + numbers[1], 11);
  EXPECT_EQ(copy.span()[1], std::byte{2});
  copy = {};
  EXPECT_EQ(owner.use_count(), 1) << "nobody keeps it any more";
}

}  // namespace
}  // namespace throng
