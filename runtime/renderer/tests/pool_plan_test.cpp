// SPDX-License-Identifier: Apache-2.0
#include "pool_plan.h"

#include <gtest/gtest.h>

namespace throng::detail::renderer {
namespace {

constexpr VertexNeeds kCrowd{.most = 1000, .least = 100};
constexpr std::uint64_t kNoRoom = 1;  // what a pool begins with

PoolNeeds crowd(std::uint32_t budget = 0, float speck_pixels = 6.0f) {
  PoolNeeds needs{.far = kCrowd};
  needs.vertex_budget = budget;
  needs.speck_pixels = speck_pixels;
  return needs;
}

PoolNeeds crowd_and_near(std::uint64_t near_vertices, std::uint32_t budget = 0) {
  PoolNeeds needs = crowd(budget);
  needs.near_vertices = near_vertices;
  return needs;
}

TEST(PoolPlan, HoldsEverybodyAtFullDetailWhereItMay) {
  constexpr PoolLimits kWide{.far = 5000, .all = 100000};
  EXPECT_EQ(pool_room(crowd(), kWide, kNoRoom), 1000u);
  EXPECT_EQ(pool_room(crowd(), {.far = 999, .all = 100000}, kNoRoom), 999u);
  EXPECT_EQ(pool_room(crowd(), {.far = 5000, .all = 999}, kNoRoom), 999u);
  EXPECT_EQ(pool_room(crowd(400), kWide, kNoRoom), 400u) << "no more than the budget is ever filled";
  EXPECT_EQ(pool_room(crowd(400), {.far = 300, .all = 100000}, kNoRoom), 300u);
  EXPECT_EQ(pool_room({.far = VertexNeeds{}}, kWide, kNoRoom), 1u) << "there is something to bind";
  EXPECT_EQ(pool_room({}, kWide, kNoRoom), 1u) << "also where far ones are skinned as they are drawn";
}

TEST(PoolPlan, KeepsAPoolThatIsLargeEnoughAndMakesALargerOneRoomy) {
  constexpr PoolLimits kWide{.far = 5000, .all = 100000};
  EXPECT_EQ(pool_room(crowd(), kWide, 1000), 1000u);
  EXPECT_EQ(pool_room(crowd(), kWide, 4000), 4000u);
  EXPECT_EQ(pool_room(crowd(), kWide, 999), 1500u) << "half as much again for a crowd that grows";
  EXPECT_EQ(pool_room(crowd(), {.far = 1200, .all = 100000}, 999), 1200u) << "but not more than far ones may have";
}

TEST(PoolPlan, HasRoomForNearVerticesBesideThoseOfTheCrowd) {
  constexpr PoolLimits kWide{.far = 5000, .all = 100000};
  EXPECT_EQ(pool_room(crowd_and_near(200), kWide, kNoRoom), 1300u) << "near ones, half as many again, and far ones";
  EXPECT_EQ(pool_room(crowd_and_near(200), kWide, 1200), 1200u);
  EXPECT_GT(pool_room(crowd_and_near(201), kWide, 1200), 1200u);
  EXPECT_EQ(pool_room({.near_vertices = 200}, kWide, kNoRoom), 301u);
  EXPECT_EQ(pool_room(crowd_and_near(200), {.far = 5000, .all = 600}, kNoRoom), 600u) << "never past the device's";
}

TEST(PoolPlan, GivesFarCharactersWhatNearOnesLeave) {
  constexpr PoolLimits kWide{.far = 5000, .all = 100000};
  const PoolShares shares = divide_pool(crowd_and_near(200), kWide, 1200);
  EXPECT_EQ(shares.near, 200u);
  EXPECT_EQ(shares.far, 1000u);
  EXPECT_FALSE(shares.overflows);
  EXPECT_TRUE(divide_pool(crowd_and_near(201), kWide, 1200).overflows) << "one is missing";
  EXPECT_EQ(divide_pool(crowd_and_near(200), {.far = 300, .all = 100000}, 1200).far, 300u);
  EXPECT_EQ(divide_pool({.near_vertices = 200}, kWide, 1200).far, 0u) << "skinned as they are drawn they take none";
}

TEST(PoolPlan, OverflowsOnlyWhenMoreMayBeDrawnThanItHolds) {
  constexpr PoolLimits kWide{.far = 5000, .all = 100000};
  const auto overflows = [&](std::uint64_t room, std::uint32_t budget, float speck_pixels) {
    return divide_pool(crowd(budget, speck_pixels), kWide, room).overflows;
  };
  EXPECT_FALSE(overflows(1000, 0, 6.0f));
  EXPECT_TRUE(overflows(999, 0, 6.0f)) << "without a budget everybody keeps the detail asked for";
  EXPECT_FALSE(overflows(400, 400, 6.0f)) << "a budget is kept by coarser levels and specks";
  EXPECT_TRUE(overflows(399, 400, 6.0f));
  EXPECT_FALSE(overflows(100, 100, 0.0f)) << "the coarsest levels fit";
  EXPECT_TRUE(overflows(99, 99, 0.0f)) << "nothing coarser is left";
  EXPECT_FALSE(overflows(99, 99, 0.3f)) << "but specks are";
  EXPECT_TRUE(overflows(99, 99, 0.29f));
}

}  // namespace
}  // namespace throng::detail::renderer
