// SPDX-License-Identifier: Apache-2.0
#pragma once
// What motion vectors of a picture must be, for the tests of far and of near characters.

#include <gtest/gtest.h>

#include <cmath>
#include <glm/glm.hpp>
#include <span>

namespace throng::test {

// A surface that stands still is found in both pictures by the same sums, but a GPU may fuse them differently: an
// NVIDIA one gives 1e-10 of a picture. This is a hundredth of a pixel of a picture of ten thousand.
inline constexpr float kStillMotion = 1e-6f;

inline bool stands_still(const glm::vec2& motion) {
  return std::abs(motion.x) <= kStillMotion && std::abs(motion.y) <= kStillMotion;
}

inline void expect_no_motion(std::span<const glm::vec2> motions) {
  for (const glm::vec2& motion : motions) ASSERT_TRUE(stands_still(motion)) << motion.x << " " << motion.y;
}

// The same wherever anything moved, in metres across and up in a plane that faces the eye at `distance`, seen by a
// camera that opens by 40 degrees.
inline void expect_one_motion(std::span<const glm::vec2> motions, double across, double up, double distance) {
  const double unit = 1.0 / (2.0 * distance * std::tan(glm::radians(20.0)));
  std::size_t moved = 0;
  for (const glm::vec2& motion : motions) {
    if (stands_still(motion)) continue;
    ++moved;
    ASSERT_NEAR(motion.x, across * unit, 1e-5);
    ASSERT_NEAR(motion.y, -up * unit, 1e-5);
  }
  EXPECT_GT(moved, 20u);
}

}  // namespace throng::test
