// SPDX-License-Identifier: Apache-2.0
// What each bone encoding promises: how near a decoded bone is to what was encoded, where the bits lie, and how two
// frames mix.
#include <gtest/gtest.h>

#include <algorithm>

#include "codec_samples.h"
#include "encodings_where.h"
#include "throng/character/codecs/bone_codecs.h"

namespace throng {
namespace {

using test::angle_between;
using test::kRange;

// Half a step of each field, in the units of kRange.
struct Steps {
  Encoding encoding;
  glm::dvec3 position;  // of the range
  double scale;         // of the largest; 0: not stored
  double turn;          // radians
};

// The angle that half a step `h` in each of three components comes to: see SmallestThree's test.
constexpr double three_components(double h) { return 2.0 * h * 3.4641016151377544; }
// The angle that half a step `h` in each of four components comes to.
constexpr double four_components(double h) { return 2.0 * h * 2.0; }

constexpr double kInverseRoot2 = 0.70710678118654752;
const std::array kSteps{
    Steps{Encoding::q16, glm::dvec3(0.5 / 65535), 0.5 / 65535, four_components(0.5 / 32767)},
    Steps{Encoding::x16, glm::dvec3(0.5 / 1048575), 0.5 / 4095, three_components(0.5 * kInverseRoot2 / 131071)},
    Steps{Encoding::q12, glm::dvec3(0.5 / 65535), 0.0, three_components(0.5 * kInverseRoot2 / 16383)},
    Steps{Encoding::q8, {0.5 / 1023, 0.5 / 1023, 0.5 / 511}, 0.0, three_components(0.5 * kInverseRoot2 / 1023)},
};

// Of every encoding of this kind that is not of half floats, whose steps are their size's. One that nobody has said the
// steps of has none, which nothing holds.
std::vector<Steps> all_steps() {
  const auto measured =
      test::encodings_where([](const EncodingInfo& info) { return info.kind == ItemKind::bone && !info.half; });
  std::vector<Steps> all;
  for (const Encoding encoding : measured) {
    const auto known = std::ranges::find(kSteps, encoding, &Steps::encoding);
    all.push_back(known == kSteps.end() ? Steps{encoding, glm::dvec3(0.0), 0.0, 0.0} : *known);
  }
  return all;
}

class BoneCodec : public ::testing::TestWithParam<Steps> {};
INSTANTIATE_TEST_SUITE_P(Encodings, BoneCodec, ::testing::ValuesIn(all_steps()),
                         [](const auto& tested) { return std::string(name_of(tested.param.encoding)); });

std::vector<BoneSample> many_samples() {
  std::vector<BoneSample> all;
  std::mt19937 random(5);
  for (const glm::dquat& q : test::many_rotations(4000)) {
    const std::size_t i = all.size();
    all.push_back({q, test::some_position(i, random, kRange), kRange.scale_max * test::some_fraction(i / 7, random)});
  }
  return all;
}

BoneSample there_and_back(Encoding encoding, const BoneSample& sample, const ClipRange& range = kRange) {
  std::array<std::uint32_t, 6> words{};
  const auto used = std::span(words).first(words_per_item(encoding, false));
  encode_bone(encoding, sample, range, used);
  return decode_bone(encoding, used, range);
}

TEST_P(BoneCodec, DecodesToWithinHalfAStepOfWhatWasEncoded) {
  const Steps& steps = GetParam();
  double worst_turn = 0.0;
  glm::dvec3 worst_position(0.0);
  for (const BoneSample& in : many_samples()) {
    const BoneSample out = there_and_back(steps.encoding, in);
    worst_turn = std::max(worst_turn, angle_between(in.rotation, out.rotation));
    worst_position = glm::max(worst_position, glm::abs(out.position - in.position) / kRange.pivot_size);
    if (steps.scale > 0.0) {
      EXPECT_LE(std::abs(out.scale - in.scale), 1.0001 * steps.scale * kRange.scale_max);
    } else {
      EXPECT_EQ(out.scale, kRange.scale_max);
    }
  }
  EXPECT_LE(worst_turn, 1.0001 * steps.turn);
  EXPECT_GE(worst_turn, 0.3 * steps.turn) << "the bound means something";
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(worst_position[axis], 1.0001 * steps.position[axis]);
    EXPECT_GE(worst_position[axis], 0.9 * steps.position[axis]) << "the bound means something";
  }
}

TEST_P(BoneCodec, ClampsWhatLiesOutsideTheRange) {
  BoneSample sample;
  sample.position = {-50.0, 50.0, -2.0};
  sample.scale = 9.0;
  const BoneSample out = there_and_back(GetParam().encoding, sample);
  EXPECT_EQ(out.position, glm::dvec3(-1.0, 3.0, -2.0));
  EXPECT_EQ(out.scale, 1.25);
}

TEST_P(BoneCodec, AnAxisWithoutExtentDecodesExactly) {
  const ClipRange flat{{0.1, 0.2, 0.3}, {0.0, 0.0, 0.0}, 1.0};
  BoneSample sample;
  sample.position = {0.1, 0.2, 0.3};
  EXPECT_EQ(there_and_back(GetParam().encoding, sample, flat).position, sample.position);
}

void expect_stable(Encoding encoding, const BoneSample& once) {
  const BoneSample twice = there_and_back(encoding, once);
  ASSERT_EQ(twice.rotation, once.rotation);
  ASSERT_EQ(twice.position, once.position);
  ASSERT_EQ(twice.scale, once.scale);
}

TEST_P(BoneCodec, WhatWasDecodedEncodesToItself) {
  for (const BoneSample& in : many_samples())
    expect_stable(GetParam().encoding, there_and_back(GetParam().encoding, in));
}

// Every bit of every word belongs to one field and comes back, but for q12's spare one.
TEST_P(BoneCodec, EveryBitCounts) {
  const Encoding encoding = GetParam().encoding;
  std::mt19937 random(9);
  for (std::uint32_t word = 0; word < words_per_item(encoding, false); ++word)
    for (int bit = 0; bit < 32; ++bit) {
      if (encoding == Encoding::q12 && word == 2 && bit == 31) continue;
      std::array<std::uint32_t, 4> words{};
      const auto used = std::span(words).first(words_per_item(encoding, false));
      encode_bone(encoding, {test::random_rotation(random), {0.1, 1.2, 0.7}, 0.6}, kRange, used);
      const BoneSample before = decode_bone(encoding, used, kRange);
      used[word] ^= 1u << bit;
      const BoneSample after = decode_bone(encoding, used, kRange);
      EXPECT_TRUE(before.rotation != after.rotation || before.position != after.position || before.scale != after.scale)
          << name_of(encoding) << " word " << word << " bit " << bit;
    }
}

// A value whose every field is told apart from its neighbours, against numbers worked out by hand.
TEST(BoneCodecs, PackAsTheTableSays) {
  BoneSample sample;
  sample.rotation = glm::dquat(0.5, 0.5, -0.5, 0.5);  // w x y z
  sample.position = kRange.pivot_min + kRange.pivot_size * glm::dvec3(1.0, 0.0, 1.0);
  sample.scale = 1.25;
  std::array<std::uint32_t, 4> words{};
  encode_bone(Encoding::q16, sample, kRange, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 4>{0xC0004000u, 0x40004000u, 0x0000FFFFu, 0xFFFFFFFFu}));

  // Leaving out w: x, y, z are 0.5 · √2 of the fields' range.
  sample.rotation = glm::normalize(glm::dquat(2.0, 1.0, -1.0, 0.0));
  encode_bone(Encoding::x16, sample, kRange, words);
  const auto a = static_cast<std::uint32_t>(std::lround(std::sqrt(1.0 / 6.0) * std::numbers::sqrt2 * 131071));
  EXPECT_EQ(words[0], a);
  EXPECT_EQ(words[1], ((1u << 18) - a) | 0x3FFFu << 18);
  EXPECT_EQ(words[2], 0x3Fu << 24 | 3u << 30);
  EXPECT_EQ(words[3], 0xFFFFFu | 0xFFFu << 20);

  const auto b = static_cast<std::uint32_t>(std::lround(std::sqrt(1.0 / 6.0) * std::numbers::sqrt2 * 16383));
  encode_bone(Encoding::q12, sample, kRange, std::span(words).first(3));
  EXPECT_EQ(words[0], 0xFFFFu | b << 16 | 1u << 31);
  EXPECT_EQ(words[1], ((1u << 15) - b) << 16 | 1u << 31);
  EXPECT_EQ(words[2], 0xFFFFu);

  const auto c = static_cast<std::uint32_t>(std::lround(std::sqrt(1.0 / 6.0) * std::numbers::sqrt2 * 1023));
  encode_bone(Encoding::q8, sample, kRange, std::span(words).first(2));
  EXPECT_EQ(words[0], c | ((1u << 11) - c) << 11 | 0x3FFu << 22);
  EXPECT_EQ(words[1], 3u << 11 | 0x1FFu << 23);
}

TEST(BoneCodecs, ReadOldQ16TexelsAsTheyWereWritten) {
  const std::array<std::uint32_t, 4> words{0x00007FFFu, 0x80014000u, 0x8000FFFFu, 0x4000FFFFu};
  const BoneSample sample = decode_bone(Encoding::q16, words, kRange);
  EXPECT_EQ(sample.rotation, glm::dquat(-1.0, 1.0, 0.0, 16384.0 / 32767.0));
  EXPECT_EQ(sample.position, glm::dvec3(1.0, 3.0 * (32768.0 / 65535.0), 2.0));
  EXPECT_EQ(sample.scale, 16384.0 / 65535.0 * 1.25);
  const std::array<std::uint32_t, 4> lowest{0x00008000u, 0, 0, 0};
  EXPECT_EQ(decode_bone(Encoding::q16, lowest, kRange).rotation.x, -1.0) << "as shaders read it";
}

TEST(HalfQuaternion, KeepsElevenBitsOfEveryNumberInTheClassicOrder) {
  for (BoneSample in : many_samples()) {
    in.position *= 100.0;
    const BoneSample out = there_and_back(Encoding::half_quaternion, in);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LE(std::abs(out.position[axis] - in.position[axis]), std::abs(in.position[axis]) / 2048 + 3.0e-8);
    EXPECT_LE(angle_between(in.rotation, out.rotation), 2.0 / 2048);
    expect_stable(Encoding::half_quaternion, out);
  }
  std::array<std::uint32_t, 4> words{};
  encode_bone(Encoding::half_quaternion, {glm::dquat(1.0, 0.5, -2.0, 0.25), {1.0, 2.0, -4.0}, 0.5}, kRange, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 4>{0xC0003800u, 0x3C003400u, 0x40003C00u, 0x3800C400u}));
}

AffineSample random_affine(std::mt19937& random, double largest) {
  std::uniform_real_distribution<double> number(-largest, largest);
  AffineSample sample;
  for (int c = 0; c < 3; ++c) sample.linear[c] = {number(random), number(random), number(random)};
  sample.position = test::some_position(random() % 200, random, kRange);
  return sample;
}

AffineSample there_and_back(Encoding encoding, const AffineSample& sample) {
  std::array<std::uint32_t, 6> words{};
  encode_affine(encoding, sample, kRange, words);
  return decode_affine(encoding, words, kRange);
}

TEST(Rows, DecodeToWithinHalfAStepWhateverTheMatrix) {
  std::mt19937 random(6);
  for (int i = 0; i < 5000; ++i) {
    const AffineSample in = random_affine(random, kRange.scale_max);
    const AffineSample out = there_and_back(Encoding::rows, in);
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r)
        EXPECT_LE(std::abs(out.linear[c][r] - in.linear[c][r]), 0.5001 / 32767 * kRange.scale_max);
      EXPECT_LE(std::abs(out.position[c] - in.position[c]), 0.5001 / 65535 * kRange.pivot_size[c]);
    }
    const AffineSample twice = there_and_back(Encoding::rows, out);
    EXPECT_EQ(twice.linear, out.linear);
    EXPECT_EQ(twice.position, out.position);
  }
}

TEST(Rows, LieRowByRow) {
  AffineSample sample;
  sample.linear = glm::dmat3(1.25, 0.0, 0.0, -1.25, 0.0, 0.0, 0.0, 0.0, 1.25);  // columns
  sample.position = kRange.pivot_min + kRange.pivot_size * glm::dvec3(0.0, 1.0, 0.0);
  std::array<std::uint32_t, 6> words{};
  encode_affine(Encoding::rows, sample, kRange, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 6>{0x80017FFFu, 0, 0, 0xFFFF0000u, 0, 0x00007FFFu}));
  sample.position = {0.5, 1.0, 2.0};
  encode_affine(Encoding::half_rows, sample, kRange, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 6>{0xBD003D00u, 0x38000000u, 0, 0x3C000000u, 0, 0x40003D00u}));
}

TEST(HalfRows, KeepElevenBitsOfEveryNumber) {
  std::mt19937 random(8);
  for (int i = 0; i < 5000; ++i) {
    const AffineSample in = random_affine(random, 30.0);
    const AffineSample out = there_and_back(Encoding::half_rows, in);
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        EXPECT_LE(std::abs(out.linear[c][r] - in.linear[c][r]), std::abs(in.linear[c][r]) / 2048 + 3.0e-8);
    const AffineSample twice = there_and_back(Encoding::half_rows, out);
    EXPECT_EQ(twice.linear, out.linear);
    EXPECT_EQ(twice.position, out.position);
  }
}

TEST(Slots, HoldARotationOrATranslationWithItsScale) {
  const SlotRange range{{-1.0, 0.0, -2.0, 0.5}, {2.0, 3.0, 0.0, 1.0}};
  std::mt19937 random(12);
  std::array<std::uint32_t, 2> words{};
  for (const glm::dquat& q : test::many_rotations(2000)) {
    encode_rotation_slot(q, words);
    const glm::dquat once = decode_rotation_slot(words);
    EXPECT_LE(angle_between(q, once), four_components(0.5 / 32767));
    encode_rotation_slot(once, words);
    EXPECT_EQ(decode_rotation_slot(words), once);

    std::uniform_real_distribution<double> fraction(0.0, 1.0);
    const glm::dvec4 value =
        range.min + glm::dvec4(fraction(random), fraction(random), 0.0, fraction(random)) * range.size;
    encode_translation_slot(glm::dvec3(value), value.w, range, words);
    const glm::dvec4 back = decode_translation_slot(words, range);
    for (int i = 0; i < 4; ++i) EXPECT_LE(std::abs(back[i] - value[i]), 0.5001 / 65535 * range.size[i]);
    encode_translation_slot(glm::dvec3(back), back.w, range, words);
    EXPECT_EQ(decode_translation_slot(words, range), back);
  }
}

TEST(Interpolation, MixesAlongTheShortArcWhateverTheSigns) {
  BoneSample from;
  BoneSample to;
  from.rotation = glm::angleAxis(glm::radians(170.0), glm::dvec3(0, 1, 0));
  to.rotation = -glm::angleAxis(glm::radians(190.0), glm::dvec3(0, 1, 0));
  to.position = {2.0, 4.0, 6.0};
  to.scale = 3.0;
  const BoneSample middle = interpolate(from, to, 0.5);
  EXPECT_LT(angle_between(middle.rotation, glm::angleAxis(glm::radians(180.0), glm::dvec3(0, 1, 0))), 1e-7);
  EXPECT_NEAR(glm::length(middle.rotation), 1.0, 1e-12);
  EXPECT_EQ(middle.position, glm::dvec3(1.0, 2.0, 3.0));
  EXPECT_EQ(middle.scale, 2.0);
}

TEST(Interpolation, MixesMatricesEntryByEntry) {
  AffineSample from;
  AffineSample to;
  to.linear = glm::dmat3(3.0);
  to.position = {4.0, 8.0, 12.0};
  const AffineSample mixed = interpolate(from, to, 0.25);
  EXPECT_EQ(mixed.linear, glm::dmat3(1.5));
  EXPECT_EQ(mixed.position, glm::dvec3(1.0, 2.0, 3.0));
}

}  // namespace
}  // namespace throng
