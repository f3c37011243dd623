// SPDX-License-Identifier: Apache-2.0
#include "render/steady_time.h"

#include <gtest/gtest.h>

namespace {

// Four slow pictures, and eight of 1 to 8 µs.
std::vector<double> film() { return {9e-3, 8e-3, 7e-3, 6e-3, 3e-6, 1e-6, 8e-6, 5e-6, 2e-6, 7e-6, 4e-6, 6e-6}; }

TEST(SteadyTime, IsTheMedianOfWhatComesAfterTheWarmUp) {
  std::vector<double> seconds = film();
  EXPECT_NEAR(steady_microseconds(seconds).value(), 5.0, 1e-9);
  // A fifth picture is counted: two more slow ones behind it, and the middle is one farther up.
  seconds.insert(seconds.end(), {1.0, 1.0});
  EXPECT_NEAR(steady_microseconds(seconds).value(), 6.0, 1e-9);
}

TEST(SteadyTime, IsNotToldOfAFilmTooShort) {
  std::vector<double> seconds = film();
  seconds.pop_back();
  EXPECT_FALSE(steady_microseconds(seconds));
  EXPECT_FALSE(steady_microseconds({}));
}

}  // namespace
