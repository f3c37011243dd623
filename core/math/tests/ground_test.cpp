// SPDX-License-Identifier: Apache-2.0
#include "throng/math/ground.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

constexpr double kPi = 3.14159265358979323846;

const GroundMotion kStep{{0.3, 0.0, 1.2}, 0.4};
const GroundMotion kSide{{-1.0, 0.0, 0.2}, -1.9};

void expect_alike(const glm::dmat4& a, const glm::dmat4& b, double within = 1e-12) {
  for (int c = 0; c < 4; ++c) EXPECT_LT(glm::length(a[c] - b[c]), within) << "column " << c;
}

TEST(GroundMotion, RotatesByRightHandedYaw) {
  EXPECT_LT(glm::length(rotated({0.0, 5.0, 1.0}, 0.5 * kPi) - glm::dvec3(1.0, 5.0, 0.0)), 1e-12);
  const GroundMotion quarter{{1.0, 0.0, 0.0}, 0.5 * kPi};
  EXPECT_LT(glm::length(transform_point(quarter, {0.0, 0.0, 2.0}) - glm::dvec3(3.0, 0.0, 0.0)), 1e-12);
}

TEST(GroundMotion, ComposesAndInvertsAsItsMatricesDo) {
  expect_alike(to_matrix(compose(kStep, kSide)), to_matrix(kStep) * to_matrix(kSide));
  expect_alike(to_matrix(inverse(kStep)), glm::inverse(to_matrix(kStep)));
  expect_alike(to_matrix(between(kStep, kSide)), glm::inverse(to_matrix(kStep)) * to_matrix(kSide));
  const glm::dvec4 p(0.5, 2.0, -1.0, 1.0);
  EXPECT_LT(glm::length(transform_point(kStep, p) - glm::dvec3(to_matrix(kStep) * p)), 1e-12);
}

TEST(GroundMotion, RepeatsLikeOneCycleAfterAnother) {
  GroundMotion forward, backward;
  for (std::int64_t times = 0; times <= 37; ++times) {
    expect_alike(to_matrix(repeat(kStep, times)), to_matrix(forward), 1e-10);
    expect_alike(to_matrix(repeat(kStep, -times)), to_matrix(backward), 1e-10);
    EXPECT_NEAR(repeat(kStep, times).yaw, forward.yaw, 1e-10);
    EXPECT_NEAR(repeat(kStep, -times).yaw, backward.yaw, 1e-10);
    forward = compose(forward, kStep);
    backward = compose(backward, inverse(kStep));
  }
}

TEST(GroundMotion, StaysOnItsCircleForABillionCycles) {
  // Rotating as it goes, a character walks in a circle of this radius for ever.
  const double radius = glm::length(kStep.translation) / (2.0 * std::sin(0.5 * kStep.yaw));
  for (const std::int64_t times : {1'000'000'007LL, -1'000'000'007LL})
    EXPECT_LE(glm::length(repeat(kStep, times).translation), 2.0 * radius * (1.0 + 1e-9));
  // Twenty cycles of 18 degrees are once round.
  const GroundMotion eighteen{{0.0, 0.0, 1.0}, 0.1 * kPi};
  EXPECT_LT(glm::length(repeat(eighteen, 20'000'000).translation), 1e-6);
}

TEST(GroundMotion, InterpolatesStraight) {
  const GroundMotion half = interpolate(kStep, kSide, 0.25);
  EXPECT_LT(glm::length(half.translation - glm::dvec3(-0.025, 0.0, 0.95)), 1e-12);
  EXPECT_NEAR(half.yaw, -0.175, 1e-12);
  EXPECT_EQ(interpolate(kStep, kSide, 0.0), kStep);
}

}  // namespace
}  // namespace throng
