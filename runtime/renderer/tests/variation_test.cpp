// SPDX-License-Identifier: Apache-2.0
// How characters of one material differ.
#include "throng/shaders/shared/variation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

using gpu::variation_of;
using gpu::varied_colour;

constexpr glm::vec3 kClay{0.42f, 0.21f, 0.12f};

TEST(Variation, LeavesAnInstanceOfNumberZeroExactlyAsItsMaterialIs) {
  for (const std::uint32_t material : {0u, 1u, 77u}) {
    EXPECT_EQ(varied_colour(kClay, variation_of(0, material), 1.0f), kClay);
  }
}

TEST(Variation, LeavesAllAsTheyAreWhenNoneIsAskedFor) {
  for (std::uint32_t instance = 0; instance < 100; ++instance) {
    const glm::vec3 colour = varied_colour(kClay, variation_of(instance, 3), 0.0f);
    EXPECT_LT(glm::distance(colour, kClay), 1e-6f);
  }
}

TEST(Variation, StaysNearTheMaterialAndIsSeen) {
  float most = 0.0f;
  for (std::uint32_t instance = 1; instance < 5000; ++instance) {
    const glm::vec3 colour = varied_colour(kClay, variation_of(instance, 1), 1.0f);
    for (int channel = 0; channel < 3; ++channel) {
      ASSERT_GE(colour[channel], 0.0f);
      ASSERT_LT(std::abs(colour[channel] / kClay[channel] - 1.0f), 0.6f) << instance;
    }
    ASSERT_GT(colour.r, colour.g) << "clay stays clay";
    ASSERT_GT(colour.g, colour.b);
    most = std::max(most, glm::distance(colour, kClay));
  }
  EXPECT_GT(most, 0.08f);
}

TEST(Variation, KeepsBlackBlackAndGreysNearlyGrey) {
  const float most =
      0.5f * 2.0f * gpu::kMostWarmthChange * (1.0f + gpu::kMostLightnessChange) * (1.0f + gpu::kMostSaturationChange);
  for (std::uint32_t instance = 1; instance < 500; ++instance) {
    EXPECT_EQ(varied_colour(glm::vec3(0.0f), variation_of(instance, 1), 1.0f), glm::vec3(0.0f));
    const glm::vec3 grey = varied_colour(glm::vec3(0.5f), variation_of(instance, 1), 1.0f);
    EXPECT_LE(std::abs(grey.r - grey.b), most);
  }
}

TEST(Variation, AddsNoLightThatAStrongColourLacks) {
  constexpr glm::vec3 kRed{0.7f, 0.02f, 0.02f};
  for (std::uint32_t instance = 1; instance < 2000; ++instance) {
    const glm::vec3 red = varied_colour(kRed, variation_of(instance, 0), 1.0f);
    ASSERT_LT(std::max(red.g, red.b), 0.08f * red.r) << "it became pink or brown";
  }
}

// Neighbours and the materials of one character differ from one another, and on the whole nothing leans one way.
TEST(Variation, DiffersByInstanceAndMaterialEvenly) {
  double warmth = 0.0, lightness = 0.0, together = 0.0;
  constexpr std::uint32_t kCount = 20000;
  for (std::uint32_t instance = 1; instance <= kCount; ++instance) {
    const gpu::Variation skin = variation_of(instance, 0);
    warmth += skin.warmth;
    lightness += skin.lightness;
    together += skin.warmth * variation_of(instance, 1).warmth + skin.warmth * variation_of(instance + 1, 0).warmth;
  }
  EXPECT_NEAR(warmth / kCount, 0.0, 0.02);
  EXPECT_NEAR(lightness / kCount, 0.0, 0.02);
  EXPECT_NEAR(together / kCount, 0.0, 0.02);
}

}  // namespace
}  // namespace throng
