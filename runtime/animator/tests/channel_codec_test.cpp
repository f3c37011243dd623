// SPDX-License-Identifier: Apache-2.0
// The decoders of localv in floats, one at a time and eight at once, against the one in double.

#include "jobs/channel_codec.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "channel_motion.h"
#include "jobs/even_turn.h"
#include "throng/math/simd/float4.h"
#include "throng/shaders/shared/channels.h"

namespace throng {

using namespace detail::animator;

namespace {

constexpr double kUlp = 5.9604644775390625e-8;  // of numbers from a half to one
// Rotations are sums of four products of numbers that are a few roundings off each; vectors are one product.
constexpr double kRotationUlps = 8.0;
constexpr double kVectorUlps = 2.0;
constexpr std::uint32_t kFrames = 5;
constexpr int kRounds = 2600;  // of eight rotations and four vectors in five frames: 104,000 rotations, 52,000 vectors

glm::dquat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

// Slots 0 to 7 rotations near and far from their mean, 8 and 9 translations, 10 and 11 scales, the last of one number.
std::vector<SlotMotion> random_slots(std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(-6.0, -1.0);
  std::normal_distribution<double> normal;
  std::vector<SlotMotion> slots;
  for (int slot = 0; slot < 8; ++slot) {
    const glm::dquat middle = random_turn(random);
    const double reach = slot % 4 == 3 ? 3.0 : std::pow(10.0, 0.4 * exponent(random));
    std::vector<glm::dquat> values;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
      values.push_back(glm::normalize(middle + reach * random_turn(random)));
    slots.push_back(test::rotation_motion(values, std::pow(10.0, exponent(random))));
  }
  for (int slot = 8; slot < 12; ++slot) {
    std::vector<glm::dvec3> values;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
      values.push_back(slot == 11 ? glm::dvec3(normal(random))
                                  : glm::dvec3(normal(random), 100.0 * normal(random), 0.01 * normal(random)));
    slots.push_back(test::vector_motion(slot < 10 ? SlotKind::translation : SlotKind::scale, values,
                                        std::pow(10.0, exponent(random))));
  }
  return slots;
}

struct Written {
  BakedClip clip;
  std::vector<std::uint32_t> words;

  std::uint16_t channel_word(std::uint32_t slot) const {
    return static_cast<std::uint16_t>(words[slot / 2] >> (slot % 2 * 16) & 0xFFFFu);
  }
  ChannelWords channel(std::uint32_t slot) const { return words.data() + channel_word(slot); }
  FrameWords frame(std::uint32_t number) const {
    return words.data() + clip.channels.frames + std::size_t{number} * clip.channels.frame_words;
  }
};

Written written(const std::vector<SlotMotion>& slots) {
  Written out;
  out.clip.frame_count = kFrames;
  test::add_channels(slots, test::every_frame(kFrames), out.clip, out.words);
  return out;
}

// How far a rotation is off in ulps of one; the one in double is of unit length, and of either sign.
double ulps_off(const glm::vec4& q, const glm::dquat& truth) {
  const glm::dvec4 unit = glm::normalize(glm::dvec4(q));
  const glm::dvec4 off = glm::abs(unit - glm::dvec4(truth.x, truth.y, truth.z, truth.w));
  return std::max({off.x, off.y, off.z, off.w}) / kUlp;
}

TEST(ChannelCodec, DecodesAsInDoubleWithinAFewUlps) {
  std::mt19937 random(5);
  double rotation_off = 0.0;
  double vector_off = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    const Written out = written(random_slots(random));
    const ChannelReader reader(out.words, out.clip.channels);
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      for (std::uint32_t slot = 0; slot < 8; ++slot)
        rotation_off = std::max(rotation_off, ulps_off(decode_rotation(out.channel(slot), out.frame(frame)),
                                                       *reader.rotation(slot, {frame, frame, 0.0})));
      for (std::uint32_t slot = 8; slot < 12; ++slot) {
        const glm::dvec3 truth = *reader.vector(slot, {frame, frame, 0.0});
        const glm::dvec3 off = glm::abs(glm::dvec3(decode_vector(out.channel(slot), out.frame(frame))) - truth);
        for (int i = 0; i < 3; ++i)
          if (truth[i] != 0.0) vector_off = std::max(vector_off, off[i] / (2.0 * kUlp * std::abs(truth[i])));
      }
    }
  }
  RecordProperty("rotation_ulps", std::to_string(rotation_off));
  RecordProperty("vector_ulps", std::to_string(vector_off));
  EXPECT_LE(rotation_off, kRotationUlps);
  EXPECT_LE(vector_off, kVectorUlps);
  EXPECT_GT(rotation_off, 0.5) << "they were compared";
}

TEST(ChannelCodec, DecodesEightAtOnceToTheSameBits) {
  std::mt19937 random(6);
  std::size_t compared = 0;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const Written out = written(random_slots(random));
    RotationLanes lanes;
    for (std::uint32_t lane = 0; lane < 8; ++lane) set_lane(lanes, lane, out.words.data(), out.channel_word(lane));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      std::array<std::array<float, 32>, 2> eight{};
      decode_rotations_narrow(out.words.data(), lanes, out.frame(frame), eight[0].data());
      decode_rotations_wide(out.words.data(), lanes, out.frame(frame), eight[has_wide_decoder() ? 1 : 0].data());
      if (!has_wide_decoder()) eight[1] = eight[0];
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        const glm::vec4 one = decode_rotation(out.channel(lane), out.frame(frame));
        for (const auto& all : eight) {
          const glm::vec4 same(all[lane], all[8 + lane], all[16 + lane], all[24 + lane]);
          ASSERT_EQ(std::memcmp(&one, &same, sizeof one), 0) << round << ", frame " << frame << ", lane " << lane;
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100000u);
}

TEST(ChannelCodec, LeavesLanesWithoutAChannelAsTheyAre) {
  std::mt19937 random(7);
  const Written out = written(random_slots(random));
  RotationLanes lanes;
  for (const std::uint32_t lane : {1u, 2u, 6u}) set_lane(lanes, lane, out.words.data(), out.channel_word(lane));
  for (const auto decode :
       {decode_rotations_narrow, has_wide_decoder() ? decode_rotations_wide : decode_rotations_narrow}) {
    std::array<float, 32> floats{};
    floats.fill(7.0f);
    decode(out.words.data(), lanes, out.frame(2), floats.data());
    for (std::size_t lane = 0; lane < 8; ++lane)
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(floats[8 * i + lane] == 7.0f, lane != 1 && lane != 2 && lane != 6);
  }
}

// As many as are read at once, fewer and more; the scales of one number are among them.
TEST(ChannelCodec, DecodesVectorsAtOnceToTheSameBits) {
  std::mt19937 random(8);
  for (int round = 0; round < kRounds; ++round) {
    const Written out = written(random_slots(random));
    std::vector<VectorLane> lanes;
    for (std::uint32_t i = 0; i < 1 + static_cast<std::uint32_t>(round) % 19; ++i)
      lanes.push_back({i / 4 * 12 + i % 4, out.channel_word(8 + i % 4)});
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      for (const auto decode :
           {decode_vectors_narrow, has_wide_decoder() ? decode_vectors_wide : decode_vectors_narrow}) {
        std::array<float, 60> floats{};
        decode(out.words.data(), lanes, out.frame(frame), floats.data());
        for (const VectorLane& lane : lanes) {
          const glm::vec3 one = decode_vector(out.words.data() + lane.channel, out.frame(frame));
          const glm::vec3 same(floats[lane.to], floats[lane.to + 4], floats[lane.to + 8]);
          ASSERT_EQ(std::memcmp(&one, &same, sizeof one), 0) << round << ", frame " << frame;
        }
      }
    }
  }
}

TEST(ChannelCodec, KnowsWhatMoves) {
  const glm::dquat still = glm::normalize(glm::dquat(1.0, 2.0, 3.0, 4.0));
  const std::vector<glm::dvec3> grows{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}};
  const Written out = written({test::rotation_motion(std::vector(kFrames, still), 1e-3),
                               test::vector_motion(SlotKind::scale, std::vector(kFrames, glm::dvec3(2.0)), 1e-3),
                               test::vector_motion(SlotKind::scale, grows, 1e-3)});
  EXPECT_FALSE(is_moving(out.channel(0), SlotKind::rotation));
  EXPECT_FALSE(is_moving(out.channel(1), SlotKind::scale));
  EXPECT_TRUE(is_moving(out.channel(2), SlotKind::scale));
}

// What shaders compute, to the bit.
TEST(EvenTurn, IsThatOfShaders) {
  for (int i = 0; i <= 100; ++i) {
    const float blend = static_cast<float>(i) / 100.0f;
    const soa::EvenTurn turn(blend);
    for (int step = 0; step <= 50; ++step) {
      const float cosine = 0.5f + 0.01f * static_cast<float>(step);
      EXPECT_EQ(turn.at(simd::splat(cosine))[2], gpu::turned_blend(cosine, blend)) << cosine << " " << blend;
    }
  }
}

}  // namespace
}  // namespace throng
