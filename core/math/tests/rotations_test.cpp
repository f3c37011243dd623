// SPDX-License-Identifier: Apache-2.0
#include "throng/math/rotations.h"

#include <gtest/gtest.h>

#include <array>

namespace throng {
namespace {

constexpr float kPi = 3.14159265f;

const std::array kAxes{glm::normalize(glm::vec3(1, 2, -1)), glm::vec3(0, 1, 0), glm::normalize(glm::vec3(-1, 0.1f, 0))};

// q and −q are one rotation.
float apart(const glm::quat& a, const glm::quat& b) { return angle_of(a * glm::conjugate(b)); }

TEST(RotationOf, IsFoundUnderScaleAndMirroring) {
  const glm::quat q = glm::angleAxis(2.0f, kAxes[0]);
  const glm::mat3 m = glm::mat3_cast(q);
  EXPECT_LT(apart(rotation_of(m), q), 1e-5f);
  EXPECT_LT(apart(rotation_of(glm::mat3(2.0f * m[0], 0.1f * m[1], 1e-18f * m[2])), q), 1e-5f);
  EXPECT_LT(apart(rotation_of(-1.0f * m), q), 1e-5f);
}

TEST(RotationOf, TakesColumnsOfNoLengthFromTheOthers) {
  const glm::quat q = glm::angleAxis(1.2f, kAxes[0]);
  const glm::mat3 m = glm::mat3_cast(q);
  EXPECT_LT(apart(rotation_of(glm::mat3(glm::vec3(0.0f), m[1], m[2])), q), 1e-5f);
  EXPECT_LT(apart(rotation_of(glm::mat3(m[0], glm::vec3(0.0f), m[2])), q), 1e-5f);
  EXPECT_LT(apart(rotation_of(glm::mat3(m[0], m[1], glm::vec3(0.0f))), q), 1e-5f);
  EXPECT_TRUE(is_finite(rotation_of(glm::mat3(0.0f))));
  EXPECT_TRUE(is_finite(rotation_of(glm::mat3(m[0], m[0], m[0]))));
}

TEST(ShortestArc, TakesOneDirectionToTheOther) {
  for (const glm::vec3& from : kAxes) {
    for (const glm::vec3& to : kAxes) {
      for (const float side : {1.0f, -1.0f}) {
        const glm::quat arc = shortest_arc(from, side * to);
        EXPECT_LT(glm::length(arc * from - side * to), 2e-6f);
        EXPECT_NEAR(angle_of(arc), angle_between(from, side * to), 2e-6f);
      }
    }
  }
  // From a quarter of a circle to all but a half.
  for (float off = 1.0f; off > 2e-6f; off *= 0.5f) {
    const glm::vec3 to = glm::angleAxis(off, kAxes[1]) * glm::vec3(-1, 0, 0);
    EXPECT_LT(glm::length(shortest_arc(glm::vec3(1, 0, 0), to) * glm::vec3(1, 0, 0) - to), 1e-6f) << off;
    EXPECT_LT(angle_between(shortest_arc(glm::vec3(1, 0, 0), to) * kAxes[1], kAxes[1]), 1e-5f) << off;
  }
  const glm::vec3 x(1, 0, 0), y(0, 1, 0);
  EXPECT_LT(apart(shortest_arc(x, -x, y), glm::angleAxis(kPi, y)), 1e-5f);
}

TEST(AngleOf, IsTheSameForBothQuaternionsOfARotation) {
  for (const float angle : {0.0f, 1e-4f, 1.0f, 3.0f}) {
    const glm::quat q = glm::angleAxis(angle, kAxes[1]);
    EXPECT_NEAR(angle_of(q), angle, 1e-6f);
    EXPECT_NEAR(angle_of(-q), angle, 1e-6f);
  }
}

TEST(FractionOf, GoesTheShortWay) {
  const glm::quat q = -glm::angleAxis(1.0f, kAxes[0]);
  EXPECT_LT(apart(fraction_of(q, 0.25f), glm::angleAxis(0.25f, kAxes[0])), 1e-5f);
  EXPECT_LT(apart(fraction_of(q, 2.0f), q), 1e-5f);
  EXPECT_EQ(fraction_of(q, -1.0f), kNoRotation);
}

TEST(Limited, KeepsTheAxisAndCutsTheAngle) {
  const glm::quat q = glm::angleAxis(1.0f, kAxes[0]);
  EXPECT_EQ(limited(q, 1.5f), q);
  EXPECT_LT(apart(limited(q, 0.4f), glm::angleAxis(0.4f, kAxes[0])), 1e-5f);
  EXPECT_LT(apart(limited(q, -1.0f), kNoRotation), 1e-5f);
}

TEST(WithinCone, BringsADirectionToTheEdge) {
  const glm::vec3 axis(0, 0, 1), inside = glm::normalize(glm::vec3(0.1f, 0, 1)), outside(1, 0, 0);
  EXPECT_EQ(within_cone(inside, axis, 0.5f), inside);
  EXPECT_LT(glm::length(within_cone(outside, axis, 0.5f) - glm::vec3(std::sin(0.5f), 0, std::cos(0.5f))), 1e-5f);
}

TEST(TwistAbout, IsThePartAboutTheAxis) {
  const glm::vec3 y(0, 1, 0);
  const glm::quat swing = glm::angleAxis(0.8f, glm::vec3(1, 0, 0)), twist = glm::angleAxis(1.1f, y);
  EXPECT_LT(apart(twist_about(swing * twist, y), twist), 1e-5f);
  EXPECT_LT(apart(twist_about(-(swing * twist), y), twist), 1e-5f);
  EXPECT_EQ(twist_about(glm::quat(0.0f, 1.0f, 0.0f, 0.0f), y), kNoRotation);
}

TEST(AngularVelocity, LeadsFromOneRotationToTheOther) {
  const glm::quat before = glm::angleAxis(0.7f, kAxes[1]), now = glm::angleAxis(0.3f, kAxes[0]) * before;
  EXPECT_LT(glm::length(angular_velocity(before, now, 0.1f) - 3.0f * kAxes[0]), 1e-4f);
  EXPECT_LT(glm::length(angular_velocity(before, -now, 0.1f) - 3.0f * kAxes[0]), 1e-4f);
  EXPECT_EQ(angular_velocity(before, before, 0.1f), glm::vec3(0.0f));
}

TEST(NearestAngle, IsTheSameAngleNearTheOther) {
  EXPECT_NEAR(nearest_angle(0.1, 6.2), 0.1 + 2.0 * 3.14159265358979, 1e-12);
  EXPECT_NEAR(nearest_angle(100.0, 0.0), 100.0 - 32.0 * 3.14159265358979, 1e-11);
}

}  // namespace
}  // namespace throng
