// SPDX-License-Identifier: Apache-2.0
// What each vertex encoding promises: how near a decoded vertex is to what was encoded, and where the bits lie.
#include <gtest/gtest.h>

#include "codec_samples.h"
#include "encodings_where.h"
#include "throng/character/codecs/vertex_codecs.h"

namespace throng {
namespace {

using test::angle_between;
using test::kRange;

constexpr double kDegree = std::numbers::pi / 180.0;

std::vector<VertexSample> many_samples() {
  std::vector<VertexSample> all;
  std::mt19937 random(15);
  for (const glm::dvec3& d : test::many_directions(4000)) {
    const std::size_t i = all.size();
    all.push_back({test::some_position(i, random, kRange), d,
                   glm::dvec4(test::random_direction(random), i % 2 == 0 ? 1.0 : -1.0)});
  }
  return all;
}

VertexSample there_and_back(Encoding encoding, const VertexSample& sample, bool tangents) {
  std::array<std::uint32_t, 6> words{};
  const auto used = std::span(words).first(words_per_item(encoding, tangents));
  encode_vertex(encoding, sample, kRange, tangents, used);
  return decode_vertex(encoding, used, kRange, tangents);
}

// The largest of each, over many samples.
struct Worst {
  glm::dvec3 position{0.0};  // of the range
  double normal = 0.0;       // radians
  double tangent = 0.0;      // radians
};

Worst worst_of(Encoding encoding) {
  Worst worst;
  for (const VertexSample& in : many_samples()) {
    const VertexSample out = there_and_back(encoding, in, true);
    worst.position = glm::max(worst.position, glm::abs(out.position - in.position) / kRange.pivot_size);
    worst.normal = std::max(worst.normal, angle_between(in.normal, out.normal));
    worst.tangent = std::max(worst.tangent, angle_between(glm::dvec3(in.tangent), glm::dvec3(out.tangent)));
    EXPECT_EQ(out.tangent.w, in.tangent.w);
    const VertexSample plain = there_and_back(encoding, in, false);
    EXPECT_EQ(plain.position, out.position) << "tangents change nothing else";
    EXPECT_EQ(plain.normal, out.normal);
  }
  return worst;
}

TEST(V8, DecodesToWithinHalfAStepAndEightHundredthsOfADegree) {
  const Worst worst = worst_of(Encoding::v8);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(worst.position[axis], 0.5001 / 16383);
    EXPECT_GE(worst.position[axis], 0.45 / 16383) << "the bound means something";
  }
  EXPECT_LE(worst.normal, 0.08 * kDegree);
  EXPECT_GE(worst.normal, 0.03 * kDegree);
  EXPECT_LE(worst.tangent, 0.005 * kDegree);
}

TEST(HalfVertex, KeepsElevenBitsOfEveryNumber) {
  const Worst worst = worst_of(Encoding::half_vertex);
  for (int axis = 0; axis < 3; ++axis) EXPECT_LE(worst.position[axis], 2.0 / 2048 / kRange.pivot_size[axis]);
  EXPECT_LE(worst.normal, std::sqrt(3.0) / 4096);
  EXPECT_LE(worst.tangent, std::sqrt(3.0) / 4096);
}

TEST(Rgbm, DecodesToWithinHalfAStepOfItsEightBits) {
  const Worst worst = worst_of(Encoding::rgbm);
  // With a multiplier near 1 the steps are 1/255 of the box; choosing it well only makes it better.
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(worst.position[axis], 0.51 / 255);
    EXPECT_GE(worst.position[axis], 0.1 / 255) << "the bound means something";
  }
  EXPECT_LE(worst.normal, 0.4 * kDegree);
  EXPECT_LE(worst.tangent, 0.5 * kDegree);
}

TEST(Rgbm, FindsTheBestMultiplierOfThoseThatReachTheLargest) {
  std::mt19937 random(21);
  for (int i = 0; i < 300; ++i) {
    VertexSample in;
    in.position = test::some_position(100, random, kRange);
    const double found = glm::distance(there_and_back(Encoding::rgbm, in, false).position, in.position);
    const glm::dvec3 p = (in.position - kRange.pivot_min) / kRange.pivot_size;
    double least = 1e9;
    for (int m = static_cast<int>(std::ceil(255.0 * std::max({p.x, p.y, p.z}))); m < 256; ++m) {
      glm::dvec3 back;
      for (int axis = 0; axis < 3; ++axis) back[axis] = std::round(p[axis] * 255.0 * 255.0 / m) * m / 65025.0;
      least = std::min(least, glm::distance(kRange.pivot_min + back * kRange.pivot_size, in.position));
    }
    EXPECT_NEAR(found, least, 1e-6);
  }
}

class VertexCodec : public ::testing::TestWithParam<Encoding> {};
INSTANTIATE_TEST_SUITE_P(Encodings, VertexCodec, ::testing::ValuesIn(test::vertex_encodings()), [](const auto& tested) {
  std::string name(name_of(tested.param));
  std::ranges::replace(name, '-', '_');
  return name;
});

void expect_stable(Encoding encoding, const VertexSample& once) {
  const VertexSample twice = there_and_back(encoding, once, true);
  ASSERT_EQ(twice.position, once.position);
  ASSERT_EQ(twice.normal, once.normal);
  ASSERT_EQ(twice.tangent, once.tangent);
}

TEST_P(VertexCodec, WhatWasDecodedEncodesToItself) {
  for (const VertexSample& in : many_samples()) expect_stable(GetParam(), there_and_back(GetParam(), in, true));
}

// half_vertex has no box, and not all of its words are numbers.
class BoxedVertexCodec : public ::testing::TestWithParam<Encoding> {};
INSTANTIATE_TEST_SUITE_P(Encodings, BoxedVertexCodec,
                         ::testing::ValuesIn(test::encodings_where([](const EncodingInfo& entry) {
                           return entry.kind == ItemKind::vertex && !entry.half;
                         })),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST_P(BoxedVertexCodec, AnyWordsEncodeToThemselves) {
  std::mt19937 random(17);
  for (int i = 0; i < 3000; ++i) {
    const std::array<std::uint32_t, 3> words{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                                             static_cast<std::uint32_t>(random())};
    const VertexSample once = decode_vertex(GetParam(), words, kRange, true);
    const VertexSample twice = there_and_back(GetParam(), once, true);
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(twice.position[axis], once.position[axis], 1e-14);
      ASSERT_NEAR(twice.normal[axis], once.normal[axis], 1e-14);
      ASSERT_NEAR(twice.tangent[axis], once.tangent[axis], 1e-14);
    }
    ASSERT_EQ(twice.tangent.w, once.tangent.w);
  }
}

TEST_P(BoxedVertexCodec, ClampsWhatLiesOutsideTheBox) {
  VertexSample sample;
  sample.position = {-50.0, 50.0, -2.0};
  EXPECT_EQ(there_and_back(GetParam(), sample, false).position, glm::dvec3(-1.0, 3.0, -2.0));
}

TEST(VertexCodecs, PackAsTheTableSays) {
  VertexSample sample;
  sample.position = kRange.pivot_min + kRange.pivot_size * glm::dvec3(1.0, 0.0, 1.0);
  sample.normal = {1.0, 0.0, 0.0};
  sample.tangent = {0.0, -1.0, 0.0, -1.0};
  std::array<std::uint32_t, 6> words{};
  encode_vertex(Encoding::v8, sample, kRange, true, std::span(words).first(3));
  EXPECT_EQ(words[0], 0x3FFFu | 1023u << 14 | 0x7Fu << 25);
  EXPECT_EQ(words[1], 0x7Fu << 25);
  EXPECT_EQ(words[2], ((1u << 15) - 16383u) << 15 | 1u << 31);

  encode_vertex(Encoding::rgbm, sample, kRange, true, std::span(words).first(3));
  EXPECT_EQ(words[0], 0xFFFF00FFu);
  EXPECT_EQ(words[1] & 0xFFu, 0xFFu);
  EXPECT_EQ(words[1] >> 24, 0xFFu);
  EXPECT_EQ(words[2] >> 31, 1u);
  EXPECT_EQ(words[2] >> 8 & 0xFFu, 0u) << "−1 is 0";

  sample.position = {0.5, 1.0, 2.0};
  encode_vertex(Encoding::half_vertex, sample, kRange, true, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 6>{0x3C003800u, 0x4000u, 0x3C00u, 0u, 0xBC000000u, 0xBC000000u}));
}

TEST(VertexInterpolation, MixesLinearlyAndNormalisesDirections) {
  const VertexSample from{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, -1.0}};
  const VertexSample to{{2.0, 4.0, 8.0}, {0.0, 1.0, 0.0}, {0.0, 1.0, 0.0, 1.0}};
  const VertexSample middle = interpolate(from, to, 0.5);
  EXPECT_EQ(middle.position, glm::dvec3(1.0, 2.0, 4.0));
  EXPECT_NEAR(glm::distance(middle.normal, glm::normalize(glm::dvec3(1.0, 1.0, 0.0))), 0.0, 1e-15);
  EXPECT_NEAR(glm::length(glm::dvec3(middle.tangent)), 1.0, 1e-15);
  EXPECT_EQ(middle.tangent.w, -1.0) << "the first's side";
  const VertexSample opposite{{}, {-1.0, 0.0, 0.0}, {}};
  EXPECT_EQ(interpolate(from, opposite, 0.5).normal, from.normal) << "nothing is left to normalise";
}

}  // namespace
}  // namespace throng
