// SPDX-License-Identifier: Apache-2.0
#include "far/pool_plan.h"

#include <gtest/gtest.h>

namespace throng::detail::renderer {
namespace {

constexpr VertexNeeds kNeeds{.most = 1000, .least = 100};

TEST(PoolPlan, HoldsEverybodyAtFullDetailWhereItMay) {
  EXPECT_EQ(pool_size(kNeeds, 0, 5000), 1000u);
  EXPECT_EQ(pool_size(kNeeds, 0, 999), 999u);
  EXPECT_EQ(pool_size(kNeeds, 400, 5000), 400u) << "no more than the budget is ever filled";
  EXPECT_EQ(pool_size(kNeeds, 400, 300), 300u);
  EXPECT_EQ(pool_size({}, 0, 5000), 1u) << "there is something to bind";
}

TEST(PoolPlan, OverflowsOnlyWhenMoreMayBeDrawnThanItHolds) {
  EXPECT_FALSE(may_overflow(kNeeds, 1000, 0, 6.0f));
  EXPECT_TRUE(may_overflow(kNeeds, 999, 0, 6.0f)) << "without a budget everybody keeps the detail asked for";
  EXPECT_FALSE(may_overflow(kNeeds, 400, 400, 6.0f)) << "a budget is kept by coarser levels and specks";
  EXPECT_TRUE(may_overflow(kNeeds, 399, 400, 6.0f));
  EXPECT_FALSE(may_overflow(kNeeds, 100, 100, 0.0f)) << "the coarsest levels fit";
  EXPECT_TRUE(may_overflow(kNeeds, 99, 99, 0.0f)) << "nothing coarser is left";
  EXPECT_FALSE(may_overflow(kNeeds, 99, 99, 0.3f)) << "but specks are";
  EXPECT_TRUE(may_overflow(kNeeds, 99, 99, 0.29f));
}

}  // namespace
}  // namespace throng::detail::renderer
