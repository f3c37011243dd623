// SPDX-License-Identifier: Apache-2.0
// The fields that all codecs are made of.
#include <gtest/gtest.h>

#include <limits>

#include "codec_samples.h"
#include "encodings/bits.h"
#include "encodings/bits_octahedral.h"
#include "encodings/bits_quaternion.h"

namespace throng::detail::character::bits {
namespace {

TEST(Fields, ReadBackToWithinHalfAStepAndHoldTheirEnds) {
  std::mt19937 random(3);
  for (const int count : {7, 8, 9, 10, 12, 14, 16, 20}) {
    EXPECT_EQ(from_unorm(unorm(0.0, count), count), 0.0);
    EXPECT_EQ(from_unorm(unorm(1.0, count), count), 1.0);
    EXPECT_EQ(unorm(1.5, count), mask(count)) << "held at the end";
    EXPECT_EQ(unorm(-0.5, count), 0u);
    for (int i = 0; i < 2000; ++i) {
      const double value = std::uniform_real_distribution<double>(0.0, 1.0)(random);
      EXPECT_LE(std::abs(from_unorm(unorm(value, count), count) - value), 0.500001 / mask(count));
    }
  }
}

TEST(Fields, WithASignHaveAnExactZeroAndEqualEnds) {
  std::mt19937 random(4);
  for (const int count : {11, 15, 16, 18}) {
    EXPECT_EQ(snorm(0.0, count), 0u);
    EXPECT_EQ(from_snorm(snorm(1.0, count), count), 1.0);
    EXPECT_EQ(from_snorm(snorm(-1.0, count), count), -1.0);
    EXPECT_EQ(from_snorm(snorm(-7.0, count), count), -1.0) << "held at the end";
    EXPECT_EQ(from_snorm(1u << (count - 1), count), -1.0) << "the lowest integer is no less, as in shaders";
    EXPECT_EQ(snorm(-0.3, count) >> count, 0u) << "no sign bits beside the field";
    for (int i = 0; i < 2000; ++i) {
      const double value = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
      EXPECT_LE(std::abs(from_snorm(snorm(value, count), count) - value), 0.500001 / snorm_max(count));
    }
  }
}

TEST(Fields, OfEveryIntegerEncodeToThemselves) {
  for (const int count : {8, 12, 16, 20}) {
    for (std::uint32_t i = 0; i <= mask(count); ++i) ASSERT_EQ(unorm(from_unorm(i, count), count), i);
  }
  for (const int count : {11, 15, 16, 18}) {
    for (std::uint32_t i = 0; i <= mask(count); ++i) {
      const std::uint32_t lowest = 1u << (count - 1);  // reads as the one above it
      ASSERT_EQ(snorm(from_snorm(i, count), count), i == lowest ? lowest + 1 : i);
    }
  }
}

TEST(Fields, TakeWhatIsNoNumberForTheLowest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(unorm(nan, 16), 0u);
  EXPECT_EQ(from_snorm(snorm(nan, 16), 16), -1.0);
}

// By the definition of binary16, from scratch.
double half_by_definition(std::uint32_t bits) {
  double value = 0.0;
  for (int i = 0; i < 10; ++i)
    if ((bits >> i & 1u) != 0) value += std::pow(2.0, i - 10);
  const auto exponent = static_cast<int>(bits >> 10 & 31u);
  value = exponent == 0 ? value * std::pow(2.0, -14) : (1.0 + value) * std::pow(2.0, exponent - 15);
  return (bits & 0x8000u) != 0 ? -value : value;
}

TEST(HalfFloats, ReadAllTheirValuesAndWriteThemBack) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const double value = from_half(bits);
    if ((bits & 0x7C00u) == 0x7C00u) {
      if ((bits & 0x3FFu) != 0) {
        EXPECT_TRUE(std::isnan(value));
        EXPECT_TRUE(std::isnan(from_half(to_half(value))));
        continue;
      }
      EXPECT_TRUE(std::isinf(value));
    } else {
      ASSERT_EQ(value, half_by_definition(bits));
    }
    ASSERT_EQ(std::signbit(value), (bits & 0x8000u) != 0);
    ASSERT_EQ(to_half(value), bits);
  }
}

TEST(HalfFloats, RoundToTheNearestAndFromTheMiddleToEven) {
  for (std::uint32_t bits = 0; bits < 0x7BFFu; ++bits) {
    const double low = from_half(bits);
    const double high = from_half(bits + 1);
    const double middle = 0.5 * (low + high);
    ASSERT_EQ(to_half(middle), (bits & 1u) == 0 ? bits : bits + 1) << bits;
    ASSERT_EQ(to_half(std::nextafter(middle, 0.0)), bits);
    ASSERT_EQ(to_half(std::nextafter(middle, 1e9)), bits + 1);
    ASSERT_EQ(to_half(-middle), 0x8000u | ((bits & 1u) == 0 ? bits : bits + 1));
  }
}

TEST(HalfFloats, AreInfiniteFromTheMiddleAboveTheLargestUnlessToldToStayNumbers) {
  EXPECT_EQ(to_half(65504.0), 0x7BFFu);
  EXPECT_EQ(to_half(65519.999), 0x7BFFu);
  EXPECT_EQ(to_half(65520.0), 0x7C00u);
  EXPECT_EQ(to_half(-1e300), 0xFC00u);
  EXPECT_EQ(to_finite_half(1e300), 0x7BFFu);
  EXPECT_EQ(to_finite_half(-65520.0), 0xFBFFu);
  EXPECT_EQ(to_half(1e-300), 0u);
  EXPECT_EQ(to_half(std::ldexp(1.0, -25)), 0u) << "half of the smallest goes to even";
  EXPECT_EQ(to_half(std::ldexp(1.0 + 1e-9, -25)), 1u);
}

TEST(SmallestThree, TurnsByNoMoreThanItsStepsAllow) {
  for (const int count : {11, 15, 18}) {
    // Half a step in each of three components, and what follows for the one left out: with all of them equal its own
    // error is the sum of theirs. An angle is twice the distance on the sphere.
    const double half_step = 0.5 / (std::numbers::sqrt2 * snorm_max(count));
    const double bound = 2.0 * half_step * std::sqrt(3.0 + 9.0);
    double worst = 0.0;
    for (const glm::dquat& q : test::many_rotations(20000))
      worst = std::max(worst, test::angle_between(q, decode_smallest_three(encode_smallest_three(q, count), count)));
    EXPECT_LE(worst, bound) << count;
    EXPECT_GE(worst, 0.3 * bound) << "the bound means something";
  }
}

TEST(SmallestThree, IsTheSameForARotationAndItsNegative) {
  for (const glm::dquat& q : test::many_rotations(5000)) {
    const SmallestThree a = encode_smallest_three(q, 15);
    const SmallestThree b = encode_smallest_three(-q, 15);
    EXPECT_LE(test::angle_between(decode_smallest_three(a, 15), decode_smallest_three(b, 15)), 1e-15);
  }
}

TEST(SmallestThree, LeavesOutEachComponentInItsTurn) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    glm::dquat q(0.1, 0.1, 0.1, 0.1);
    (i == 0 ? q.x : i == 1 ? q.y : i == 2 ? q.z : q.w) = -0.9;
    q = glm::normalize(q);
    const SmallestThree three = encode_smallest_three(q, 18);
    EXPECT_EQ(three.left_out, i);
    EXPECT_LT(test::angle_between(q, decode_smallest_three(three, 18)), 1e-5);
  }
  EXPECT_EQ(decode_smallest_three(encode_smallest_three(glm::dquat(1, 0, 0, 0), 11), 11), glm::dquat(1, 0, 0, 0))
      << "no turn at all is exact";
}

TEST(SmallestThree, NeverLeavesOutAComponentThatFloatsWouldFindBadly) {
  for (const glm::dquat& q : test::many_rotations(20000)) {
    const SmallestThree three = encode_smallest_three(q, 11);
    const glm::dquat back = decode_smallest_three(three, 11);
    const std::array components{back.x, back.y, back.z, back.w};
    EXPECT_GE(components[three.left_out], 0.45);
  }
}

TEST(SmallestThree, SurvivesFieldsThatNoRotationHas) {
  const glm::dquat q = decode_smallest_three({{mask(10), mask(10), mask(10)}, 2}, 11);
  EXPECT_EQ(q.z, 0.0) << "the others alone are longer than one";
  EXPECT_FALSE(std::isnan(q.x));
}

TEST(Octahedral, PointsWithinItsStepsAndExactlyAlongTheAxes) {
  // The points lie on each face as the corners of equilateral triangles, √2 steps a side; no place on it is farther
  // from one than √2/√3 steps, and in a face's middle, 1/√3 from the origin, that is seen under √3 times as much.
  for (const int count : {11, 15}) {
    const double step = 1.0 / snorm_max(count);
    double worst = 0.0;
    for (const glm::dvec3& d : test::many_directions(20000))
      worst = std::max(worst, test::angle_between(d, decode_octahedral(encode_octahedral(d, count), count)));
    EXPECT_LE(worst, std::numbers::sqrt2 * step) << count;
    EXPECT_GE(worst, 0.9 * std::numbers::sqrt2 * step) << "the bound means something";
  }
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      glm::dvec3 d(0.0);
      d[axis] = side;
      EXPECT_EQ(decode_octahedral(encode_octahedral(d, 11), 11), d);
    }
}

TEST(Octahedral, TakesTheBestOfAllNeighbours) {
  for (const glm::dvec3& d : test::many_directions(3000)) {
    const Octahedral point = encode_octahedral(d, 11);
    const double found = test::angle_between(d, decode_octahedral(point, 11));
    for (int i = 0; i < 9; ++i) {
      const double u = from_snorm(point.u, 11) + (i % 3 - 1) / snorm_max(11);
      const double v = from_snorm(point.v, 11) + (i / 3 - 1) / snorm_max(11);
      if (std::abs(u) > 1.0 || std::abs(v) > 1.0) continue;
      EXPECT_GE(test::angle_between(d, unfold(u, v)), found - 1e-9);
    }
  }
}

TEST(Octahedral, EveryPointEncodesToItsOwnDirection) {
  for (std::uint32_t u = 0; u < 2048; u += 3)
    for (std::uint32_t v = 0; v < 2048; v += 5) {
      const glm::dvec3 d = decode_octahedral({u, v}, 11);
      ASSERT_EQ(decode_octahedral(encode_octahedral(d, 11), 11), d) << u << ' ' << v;
    }
}

}  // namespace
}  // namespace throng::detail::character::bits
