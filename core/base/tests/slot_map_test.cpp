// SPDX-License-Identifier: Apache-2.0
#include "throng/base/slot_map.h"

#include <gtest/gtest.h>

#include <memory>

namespace throng {
namespace {

struct TestId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const TestId&, const TestId&) = default;
};

TEST(SlotMap, FindsWhatWasAddedUntilItIsRemoved) {
  SlotMap<int, TestId> map;
  const TestId a = map.add(1), b = map.add(2);
  EXPECT_EQ(*map.find(a), 1);
  EXPECT_EQ(*map.find(b), 2);
  EXPECT_EQ(map.size(), 2u);
  EXPECT_TRUE(map.remove(a));
  EXPECT_EQ(map.find(a), nullptr);
  EXPECT_EQ(*map.find(b), 2);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_FALSE(map.remove(a));
}

TEST(SlotMap, ReusesASlotUnderAnotherId) {
  SlotMap<int, TestId> map;
  const TestId old = map.add(1);
  map.remove(old);
  const TestId young = map.add(2);
  EXPECT_EQ(young.slot, old.slot);
  EXPECT_NE(young, old);
  EXPECT_EQ(map.slot_count(), 1u);
  EXPECT_FALSE(map.has(old));
  EXPECT_EQ(*map.find(young), 2);
  EXPECT_EQ(map.id_of(young.slot), young);
}

TEST(SlotMap, FindsNothingByADefaultIdOrOneNeverGiven) {
  SlotMap<int, TestId> map;
  EXPECT_FALSE(map.has(TestId{}));
  const TestId id = map.add(1);
  EXPECT_FALSE(map.has(TestId{}));
  map.remove(id);
  // The generation of a free slot is nobody's either.
  for (std::uint32_t generation = 0; generation < 4; ++generation) EXPECT_FALSE(map.has({id.slot, generation}));
  EXPECT_FALSE(map.has({id.slot + 1, 1}));
}

TEST(SlotMap, DropsAValueWhenItIsRemoved) {
  SlotMap<std::shared_ptr<int>, TestId> map;
  const auto value = std::make_shared<int>(1);
  const TestId id = map.add(value);
  EXPECT_EQ(value.use_count(), 2);
  map.remove(id);
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace
}  // namespace throng
