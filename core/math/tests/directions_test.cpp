// SPDX-License-Identifier: Apache-2.0
#include "throng/math/directions.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "throng/math/basis.h"

namespace throng {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(IsFinite, SeesEveryComponent) {
  EXPECT_TRUE(is_finite(1.0f));
  EXPECT_FALSE(is_finite(kNaN));
  for (int i = 0; i < 4; ++i) {
    glm::vec4 v(1.0f);
    EXPECT_TRUE(is_finite(v));
    v[i] = kInfinity;
    EXPECT_FALSE(is_finite(v));
    glm::quat q(1.0f, 0.0f, 0.0f, 0.0f);
    EXPECT_TRUE(is_finite(q));
    q[i] = kNaN;
    EXPECT_FALSE(is_finite(q));
    glm::dmat4 m(1.0);
    EXPECT_TRUE(is_finite(m));
    m[i][3 - i] = static_cast<double>(kNaN);
    EXPECT_FALSE(is_finite(m));
  }
}

TEST(UnitOr, IsOfUnitLengthWhateverTheSize) {
  const glm::vec3 otherwise(0.0f, 1.0f, 0.0f);
  for (const float size : {1e-29f, 1e-20f, 1.0f, 1e20f, 1e37f}) {
    const glm::vec3 unit = unit_or(glm::vec3(2.0f, -1.0f, 2.0f) * size, otherwise);
    EXPECT_LT(glm::length(unit - glm::vec3(2.0f, -1.0f, 2.0f) / 3.0f), 1e-6f) << size;
  }
}

TEST(UnitOr, IsTheOtherWhereThereIsNoDirection) {
  const glm::vec3 otherwise(0.0f, 1.0f, 0.0f);
  for (const glm::vec3 v : {glm::vec3(0.0f), glm::vec3(1e-31f), glm::vec3(kInfinity, 0.0f, 0.0f),
                            glm::vec3(0.0f, kNaN, 1.0f), glm::vec3(1.0f, 0.0f, -kInfinity)})
    EXPECT_EQ(unit_or(v, otherwise), otherwise);
}

TEST(UnitOr, TakesTheLengthThatCountsAsNone) {
  const glm::dvec3 otherwise(0.0, 1.0, 0.0);
  EXPECT_EQ(unit_or(glm::dvec3(0.0, 0.0, 0.9e-6), otherwise, 1e-6), otherwise);
  EXPECT_EQ(unit_or(glm::dvec3(0.0, 0.0, 1.1e-6), otherwise, 1e-6), glm::dvec3(0.0, 0.0, 1.0));
}

TEST(Perpendicular, IsAUnitVectorAtRightAngles) {
  for (const glm::vec3 v : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1), glm::vec3(1, 1, 1),
                            glm::vec3(-3, 1e-7f, 2), glm::vec3(1e-18f, 2e-18f, -1e-18f)}) {
    const glm::vec3 across = perpendicular(v);
    EXPECT_NEAR(glm::length(across), 1.0f, 1e-6f);
    EXPECT_NEAR(glm::dot(across, unit_or(v, glm::vec3(0.0f))), 0.0f, 1e-6f);
  }
}

TEST(PerpendicularPart, HasNothingAlongTheAxis) {
  const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0, 2.0, -0.5));
  const glm::dvec3 part = perpendicular_part(glm::dvec3(3.0, -1.0, 4.0), axis);
  EXPECT_NEAR(glm::dot(part, axis), 0.0, 1e-12);
  EXPECT_NEAR(glm::dot(part, glm::dvec3(3.0, -1.0, 4.0)), glm::dot(part, part), 1e-12);
}

TEST(MixedDirection, KeepsTheFirstOfTwoOppositeOnes) {
  const glm::dvec3 up(0.0, 1.0, 0.0);
  EXPECT_EQ(mixed_direction(up, -up, 0.5), up);
  EXPECT_NEAR(mixed_direction(up, glm::dvec3(1.0, 0.0, 0.0), 0.5).x, std::sqrt(0.5), 1e-12);
}

TEST(NormalMatrix, IsTheInverseTransposeUpToAPositiveFactor) {
  for (const double side : {1.0, -1.0}) {
    const glm::dmat3 m(glm::dvec3(side * 2.0, 0.1, 0.0), glm::dvec3(0.3, 1.0, -0.2), glm::dvec3(0.0, 0.5, 0.7));
    const glm::dmat3 expected = glm::transpose(glm::inverse(m)) * std::abs(glm::determinant(m));
    for (int c = 0; c < 3; ++c) EXPECT_LT(glm::length(normal_matrix(m)[c] - expected[c]), 1e-12);
  }
}

TEST(NormalMatrix, KnowsTheNormalOfWhatIsFlattened) {
  const glm::dmat3 flat(glm::dvec3(1.0, 0.0, 0.0), glm::dvec3(0.0, 0.0, 0.0), glm::dvec3(0.0, 0.0, 1.0));
  const glm::dvec3 normal = normal_matrix(flat) * glm::dvec3(0.3, 1.0, 0.2);
  EXPECT_GT(std::abs(normal.y), 0.5);
  EXPECT_NEAR(normal.x, 0.0, 1e-12);
}

TEST(Finite, AListIsWhenAllOfItIs) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(are_finite(std::vector<double>{}));
  EXPECT_TRUE(are_finite(std::vector<double>{1.0, 2.0}));
  EXPECT_FALSE(are_finite(std::vector<double>{1.0, none}));
  EXPECT_FALSE(are_finite(std::vector<glm::dvec3>{{1.0, 2.0, 3.0}, {0.0, none, 0.0}}));
}

TEST(Finite, ATransformIsWhenAllOfItIs) {
  const double far = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_finite(Transform{}));
  EXPECT_FALSE(is_finite(Transform{.translation = {0.0, 0.0, far}, .rotation = {1.0, 0.0, 0.0, 0.0}, .scale = {}}));
  EXPECT_FALSE(is_finite(Transform{.translation = {}, .rotation = {far, 0.0, 0.0, 0.0}, .scale = {}}));
  EXPECT_FALSE(is_finite(Transform{.translation = {}, .rotation = {1.0, 0.0, 0.0, 0.0}, .scale = {0.0, far, 0.0}}));
}

TEST(Basis, KeepsZAndTurnsXToARightAngle) {
  const glm::dvec3 z(0.6, 0.0, 0.8);
  for (const glm::dvec3& rough_x : {glm::dvec3(0.8, 0.1, -0.5), z, glm::dvec3(0.0)}) {
    const Basis axes = basis_of(z, rough_x);
    EXPECT_EQ(axes.z, z);
    EXPECT_NEAR(glm::length(axes.x), 1.0, 1e-12);
    EXPECT_NEAR(glm::dot(axes.x, z), 0.0, 1e-12);
    EXPECT_LT(glm::length(axes.y - glm::cross(z, axes.x)), 1e-12);
  }
  EXPECT_GT(basis_of(z, {0.8, 0.1, -0.5}).x.x, 0.0);
  EXPECT_GT(basis_of(z, {0.8, 0.1, -0.5}).x.y, 0.0);
}

}  // namespace
}  // namespace throng
