// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/clock.h"

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

TEST(Clock, CarriesWhatIsLeftOfATick) {
  Clock clock;
  for (int i = 0; i < 3000000; ++i) clock.advance(1.0 / 3000000.0);
  EXPECT_NEAR(seconds_from_ticks(clock.now()), 1.0, 2.0 / static_cast<double>(kTicksPerSecond));
}

TEST(Clock, IgnoresStepsThatAreNoTime) {
  Clock clock;
  EXPECT_EQ(clock.advance(-1.0), 0u);
  EXPECT_EQ(clock.advance(std::nan("")), 0u);
  EXPECT_EQ(clock.advance(INFINITY), 0u);
  EXPECT_EQ(clock.now(), 0u);
}

TEST(Clock, HoldsTimesBeyondAllReasonAtItsEnds) {
  EXPECT_EQ(ticks_from_seconds(1e30), ticks_from_seconds(1e300));
  EXPECT_EQ(ticks_from_seconds(-1e30), Ticks{0} - ticks_from_seconds(1e30));
  EXPECT_GT(Clock().advance(1e30), 0u);
}

}  // namespace
}  // namespace throng
