// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/pack_rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace throng {
namespace {

// Radians between two rotations; q and −q are one. The sine, as the cosine has no digits left near 1.
double angle_between(const glm::dquat& a, const glm::vec4& packed) {
  const glm::dquat b = glm::normalize(glm::dquat(packed.w, packed.x, packed.y, packed.z));
  const glm::dquat between = glm::conjugate(a) * b;
  return 2.0 * std::asin(std::min(1.0, glm::length(glm::dvec3(between.x, between.y, between.z))));
}

TEST(PackRotation, GivesTheIdentityBackExactly) {
  EXPECT_EQ(gpu::unpack_rotation(pack_rotation({1.0, 0.0, 0.0, 0.0})), glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
  EXPECT_EQ(gpu::unpack_rotation(pack_rotation({-5.0, 0.0, 0.0, 0.0})), glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
}

TEST(PackRotation, IsExactToFiveMillionthsOfARadian) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    const glm::dquat q = glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
    worst = std::max(worst, angle_between(q, gpu::unpack_rotation(pack_rotation(q))));
  }
  EXPECT_LT(worst, 5e-6);
  EXPECT_GT(worst, 1e-7) << "a check that measures nothing";
}

// Every sign and order of components that are alike, where which one is left out is a matter of rounding.
TEST(PackRotation, HoldsWhereComponentsAreAlike) {
  double worst = 0.0;
  for (int bits = 0; bits < 81; ++bits) {
    const auto part = [&](int place) { return static_cast<double>(bits / place % 3 - 1); };
    const glm::dquat sum(part(1), part(3), part(9), part(27));
    if (glm::length(sum) == 0.0) continue;
    const glm::dquat q = glm::normalize(sum);
    const gpu::uvec2 words = pack_rotation(sum);
    EXPECT_EQ(words.y >> 30, 0u) << "62 bits";
    worst = std::max(worst, angle_between(q, gpu::unpack_rotation(words)));
  }
  EXPECT_LT(worst, 5e-6);
}

}  // namespace
}  // namespace throng
