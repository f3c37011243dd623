// SPDX-License-Identifier: Apache-2.0
// localv: what is written is read back within its steps, whatever turns how far, and words that nobody wrote are
// refused or do no harm.
#include "throng/character/channels.h"

#include <gtest/gtest.h>

#include <random>

#include "channel_motion.h"
#include "throng/shaders/shared/channels.h"

namespace throng {
namespace {

constexpr double kPi = 3.14159265358979323846;

double angle_between(const glm::dquat& a, const glm::dquat& b) {
  return 2.0 * std::acos(std::min(1.0, std::abs(glm::dot(glm::normalize(a), glm::normalize(b)))));
}

glm::dquat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return glm::normalize(glm::dquat(normal(random), normal(random), normal(random), normal(random)));
}

struct Written {
  BakedClip clip;
  std::vector<std::uint32_t> words;
};

Written written(const std::vector<SlotMotion>& slots, const std::vector<std::uint32_t>& stored,
                std::uint32_t frame_count) {
  Written out;
  out.clip.frame_count = frame_count;
  test::add_channels(slots, stored, out.clip, out.words);
  return out;
}

// A rotation is off by at most what three rounded components make of it: √3 · step, and more where w is small.
TEST(Channels, GiveRotationsBackWithinTheirSteps) {
  std::mt19937 random(7);
  for (const double reach : {0.02, 0.3, 1.2, kPi}) {
    for (const double step : {1e-2, 1e-3, 1e-5}) {
      std::uniform_real_distribution<double> angle(0.0, reach);
      const glm::dquat middle = random_turn(random);
      std::vector<glm::dquat> values;
      for (int i = 0; i < 40; ++i) {
        const glm::dquat axis = random_turn(random);
        values.push_back(middle * glm::angleAxis(angle(random), glm::normalize(glm::dvec3(axis.x, axis.y, axis.z))));
      }
      const auto out = written({test::rotation_motion(values, step)}, test::every_frame(40), 40);
      const ChannelReader reader(out.words, out.clip.channels);
      for (std::uint32_t i = 0; i < 40; ++i) {
        const auto read = reader.rotation(0, {i, i, 0.0});
        ASSERT_TRUE(read);
        EXPECT_LE(angle_between(*read, values[i]), 8.0 * 1.01 * step) << reach << " rad, steps of " << step;
        EXPECT_NEAR(glm::length(*read), 1.0, 1e-9);
      }
    }
  }
}

TEST(Channels, GiveVectorsBackWithinHalfAStep) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> number(-3.0, 5.0);
  for (const double step : {0.1, 1e-3, 1e-5}) {
    std::vector<glm::dvec3> values;
    for (int i = 0; i < 30; ++i) values.emplace_back(number(random), 0.001 * number(random), 2.0);
    const auto out = written({test::vector_motion(SlotKind::translation, values, step)}, test::every_frame(30), 30);
    const ChannelReader reader(out.words, out.clip.channels);
    for (std::uint32_t i = 0; i < 30; ++i) {
      const glm::dvec3 off = glm::abs(*reader.vector(0, {i, i, 0.0}) - values[i]);
      EXPECT_LE(std::max({off.x, off.y, off.z}), 0.5001 * step);
    }
  }
}

// 21 bits count a million steps either way: what goes farther has coarser ones.
TEST(Channels, ThatGoFarHaveCoarserSteps) {
  const std::vector<glm::dvec3> values{{0, 0, 0}, {5000.0, 0, 0}};
  const auto out = written({test::vector_motion(SlotKind::translation, values, 1e-6)}, test::every_frame(2), 2);
  const ChannelReader reader(out.words, out.clip.channels);
  EXPECT_NEAR(reader.vector(0, {1, 1, 0.0})->x, 5000.0, 0.005);
}

// As the source's own curves do, and not as a straight mix does, which is late at a quarter of the way.
TEST(Channels, TurnEvenlyBetweenFrames) {
  for (const double degrees : {10.0, 60.0, 119.0}) {
    const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0, 2.0, -1.0));
    const std::vector<glm::dquat> values{glm::angleAxis(0.2, axis), glm::angleAxis(0.2 + degrees * kPi / 180.0, axis)};
    const auto out = written({test::rotation_motion(values, 1e-6)}, test::every_frame(2), 2);
    const ChannelReader reader(out.words, out.clip.channels);
    for (const double blend : {0.1, 0.21, 0.5, 0.79, 0.97})
      EXPECT_LT(angle_between(*reader.rotation(0, {0, 1, blend}), glm::slerp(values[0], values[1], blend)), 4e-5)
          << degrees << "° at " << blend;
  }
}

TEST(Channels, WhatIsNotStoredIsAsAtRestOrBetweenWhatIs) {
  std::vector<glm::dvec3> stored_values{{0, 0, 0}, {4, 0, 0}, {5, 0, 0}};
  // Of six frames, the first, the fifth and the last.
  const std::vector<std::uint32_t> stored{0, 4, 5};
  const auto out = written({{}, test::vector_motion(SlotKind::translation, stored_values, 1e-4)}, stored, 6);
  ASSERT_TRUE(check_channels(out.words, out.clip.channels, std::array{SlotKind::rotation, SlotKind::translation}, 6));
  const ChannelReader reader(out.words, out.clip.channels);
  EXPECT_FALSE(reader.rotation(0, reader.frames_at(0, 1, 0.0)));
  for (const auto& [frame, blend] :
       std::vector<std::pair<std::uint32_t, double>>{{0, 0.0}, {1, 0.25}, {3, 0.5}, {4, 0.5}}) {
    const auto frames = reader.frames_at(frame, frame + 1, blend);
    EXPECT_NEAR(reader.vector(1, frames)->x, frame + blend, 1e-4) << frame << " + " << blend;
  }
  EXPECT_NEAR(reader.vector(1, reader.frames_at(5, 5, 0.0))->x, 5.0, 1e-4);
  EXPECT_EQ(out.clip.channels.stored_frames, 3u);
}

// Of a scale that is one number, one component is stored.
TEST(Channels, OfOneScaleTakeOneComponent) {
  const std::vector<glm::dvec3> even{{1.0, 1.0, 1.0}, {1.5, 1.5, 1.5}};
  const std::vector<glm::dvec3> uneven{{1.0, 1.0, 1.0}, {1.5, 1.25, 2.0}};
  const auto one = written({test::vector_motion(SlotKind::scale, even, 1e-4)}, test::every_frame(2), 2);
  const auto three = written({test::vector_motion(SlotKind::scale, uneven, 1e-4)}, test::every_frame(2), 2);
  EXPECT_EQ(one.clip.channels.frame_words, 1u);
  EXPECT_GT(three.clip.channels.frame_words, 1u);
  const glm::dvec3 read = *ChannelReader(one.words, one.clip.channels).vector(0, {1, 1, 0.0});
  EXPECT_EQ(read.x, read.y);
  EXPECT_EQ(read.x, read.z);
  EXPECT_NEAR(ChannelReader(three.words, three.clip.channels).vector(0, {1, 1, 0.0})->z, 2.0, 1e-4);
}

// What does not move takes no bits.
TEST(Channels, ThatStandStillAreStoredOnce) {
  std::mt19937 random(9);
  const glm::dquat still = random_turn(random);
  const auto out = written({test::rotation_motion(std::vector(20, still), 1e-6)}, test::every_frame(20), 20);
  EXPECT_EQ(out.clip.channels.frame_words, 0u);
  EXPECT_LT(angle_between(*ChannelReader(out.words, out.clip.channels).rotation(0, {3, 4, 0.5}), still), 1e-5);
}

// Every word changed in every bit: refused, or what is read is a number.
TEST(Channels, ThatNobodyWroteAreRefusedOrHarmless) {
  std::mt19937 random(11);
  std::vector<glm::dquat> turns;
  std::vector<glm::dvec3> shifts;
  for (int i = 0; i < 6; ++i) {
    turns.push_back(random_turn(random));
    shifts.emplace_back(0.1 * i, -0.2 * i, 1.0);
  }
  const std::vector<SlotMotion> slots{test::rotation_motion(turns, 1e-3),
                                      test::vector_motion(SlotKind::translation, shifts, 1e-3),
                                      test::vector_motion(SlotKind::scale, shifts, 1e-3)};
  const std::array kinds{SlotKind::rotation, SlotKind::translation, SlotKind::scale};
  const std::vector<std::uint32_t> stored{0, 1, 3, 4, 6, 7};
  Written out = written(slots, stored, 8);
  ASSERT_TRUE(check_channels(out.words, out.clip.channels, kinds, 8));
  std::size_t refused = 0;
  for (std::size_t word = 0; word < out.words.size(); ++word) {
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      out.words[word] ^= 1u << bit;
      if (check_channels(out.words, out.clip.channels, kinds, 8)) {
        const ChannelReader reader(out.words, out.clip.channels);
        for (std::uint32_t frame = 0; frame < 8; ++frame) {
          const auto frames = reader.frames_at(frame, (frame + 1) % 8, 0.4);
          ASSERT_LT(std::max(frames.from, frames.to), 6u);
          const auto turn = reader.rotation(0, frames);
          EXPECT_TRUE(!turn || std::isfinite(glm::length(*turn)));
          for (const std::uint32_t slot : {1u, 2u}) {
            const auto v = reader.vector(slot, frames);
            EXPECT_TRUE(!v || std::isfinite(glm::length(*v)));
          }
        }
      } else {
        ++refused;
      }
      out.words[word] ^= 1u << bit;
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST(Channels, ThatEndEarlyAreRefused) {
  const auto out =
      written({test::vector_motion(SlotKind::translation, {{0, 0, 0}, {1, 2, 3}}, 1e-3)}, test::every_frame(2), 2);
  const std::array kinds{SlotKind::translation};
  ASSERT_TRUE(check_channels(out.words, out.clip.channels, kinds, 2));
  for (std::size_t size = 0; size < out.words.size(); ++size)
    EXPECT_FALSE(check_channels(std::span(out.words).first(size), out.clip.channels, kinds, 2)) << size;
  const auto changed = [&](auto change) {
    ChannelClip clip = out.clip.channels;
    change(clip);
    return check_channels(out.words, clip, kinds, 2).has_value();
  };
  EXPECT_FALSE(changed([](ChannelClip& c) { c.first_word = 0xFFFFFFFFu; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.frames = 0xFFFFFFF0u; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.frame_words = 0xFFFFFFFFu; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.stored_frames = 0; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.stored_frames = 3; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.map = 0xFFFFFFFFu; }));
  EXPECT_FALSE(changed([](ChannelClip& c) { c.frame_words = 0; })) << "its fields would lie in the next frame's";
}

TEST(Channels, WhoseSizesAddUpToNothingAreRefused) {
  const auto out =
      written({test::vector_motion(SlotKind::translation, {{0, 0, 0}, {1, 2, 3}}, 1e-3)}, test::every_frame(2), 2);
  const ChannelClip clip{0xFFFFFFFFu, 1, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};  // 2^64 + 1 words
  EXPECT_FALSE(check_channels(out.words, clip, std::array{SlotKind::translation}, 1));
}

// As docs/asset-format.md has it, and not as the constant has it.
TEST(Channels, HaveMeansAsTheyAreWritten) {
  for (const std::uint32_t a : {0u, 5000u, 16383u, 30000u, 32766u}) {
    const gpu::vec4 mean = gpu::rotation_mean(a | 16383u << 15 | 3u << 30, 16383u);
    EXPECT_NEAR(mean.x, (a - 16383.0) / (16383.0 * std::sqrt(2.0)), 1e-7);
    EXPECT_NEAR(mean.w, std::sqrt(1.0 - mean.x * mean.x), 1e-6);
  }
}

// The mean is of the rotations, whichever of a quaternion's four numbers is the largest and of either sign: far from it
// they would take more bits than they need.
TEST(Channels, HaveMeansInTheMiddleOfWhatTheyHold) {
  for (int largest = 0; largest < 4; ++largest)
    for (const double side : {-1.0, 1.0}) {
      glm::dquat middle(0.3, -0.2, 0.1, 0.25);
      middle[largest] = 2.0 * side;
      middle = glm::normalize(middle);
      std::vector<glm::dquat> values;
      for (const double angle : {-0.2, 0.0, 0.2})
        values.push_back(middle * glm::angleAxis(angle, glm::normalize(glm::dvec3(1, 2, 3))));
      EXPECT_LT(angle_between(rotation_grid(values).mean, middle), 3e-4) << largest << ", " << side;
    }
}

TEST(Channels, OfMoreBitsThanAReaderTakesAreRefused) {
  const auto out =
      written({test::vector_motion(SlotKind::translation, {{0, 0, 0}, {1, 2, 3}}, 1e-3)}, test::every_frame(2), 2);
  constexpr std::size_t kChannel = 1;  // word of it, behind the table
  for (const std::uint32_t width : {gpu::kMostWidth, gpu::kMostWidth + 1}) {
    std::vector<std::uint32_t> words = out.words;
    ChannelClip clip = out.clip.channels;
    clip.frame_words = 4;
    words.resize(clip.frames + std::size_t{2} * clip.frame_words + kChannelPadding);
    words[kChannel + 1] = (words[kChannel + 1] & ~(31u << gpu::kBaseBits)) | width << gpu::kBaseBits;
    EXPECT_EQ(check_channels(words, clip, std::array{SlotKind::translation}, 2).has_value(), width == gpu::kMostWidth);
  }
}

// The last component ends with the frame's last word, or in the next frame's.
TEST(Channels, ThatReachPastTheirFrameAreRefused) {
  const auto out =
      written({test::vector_motion(SlotKind::translation, {{0, 0, 0}, {1, 2, 3}}, 1e-3)}, test::every_frame(2), 2);
  constexpr std::size_t kChannel = 1;
  const std::array kinds{SlotKind::translation};
  std::uint32_t widths = 0;
  for (std::size_t i = 0; i < 3; ++i) widths += gpu::channel_width(out.words[kChannel + i]);
  ASSERT_LE(widths, 32u * out.clip.channels.frame_words);
  std::vector<std::uint32_t> words = out.words;
  const auto begin_at = [&](std::uint32_t bit) {
    for (std::uint32_t i = 0; i < 3; ++i)
      words[kChannel + i] = (words[kChannel + i] & 0x03FFFFFFu) | (bit >> (6 * i) & 63u) << 26;
  };
  const std::uint32_t last = 32 * out.clip.channels.frame_words - widths;
  begin_at(last);
  EXPECT_TRUE(check_channels(words, out.clip.channels, kinds, 2));
  begin_at(last + 1);
  EXPECT_FALSE(check_channels(words, out.clip.channels, kinds, 2));
}

TEST(Channels, ThatTurnByStepsOutOfAllRangeAreRefused) {
  std::vector<glm::dquat> turns;
  for (int i = 0; i < 4; ++i) turns.push_back(glm::angleAxis(0.2 * i, glm::normalize(glm::dvec3(1, 2, 3))));
  const auto out = written({test::rotation_motion(turns, 1e-3)}, test::every_frame(4), 4);
  const std::array kinds{SlotKind::rotation};
  std::size_t read = 0;
  for (const int power : {-12, -8, -4, 0, 10, 20, 60, 90}) {
    auto words = out.words;
    words[1 + 4] = (words[1 + 4] & 0xFFFFu) | (std::bit_cast<std::uint32_t>(std::ldexp(1.0f, power)) & 0xFFFF0000u);
    if (!check_channels(words, out.clip.channels, kinds, 4)) continue;
    ++read;
    const ChannelReader reader(words, out.clip.channels);
    EXPECT_NEAR(glm::length(reader.rotation(0, reader.frames_at(0, 1, 0.4)).value()), 1.0, 1e-6) << power;
  }
  EXPECT_GE(read, 1u);
  EXPECT_LT(read, 6u);
}

TEST(Channels, OnlyScalesAreOneNumber) {
  const auto out =
      written({test::vector_motion(SlotKind::scale, {{1, 1, 1}, {2, 2, 2}}, 1e-3)}, test::every_frame(2), 2);
  EXPECT_TRUE(check_channels(out.words, out.clip.channels, std::array{SlotKind::scale}, 2));
  EXPECT_FALSE(check_channels(out.words, out.clip.channels, std::array{SlotKind::translation}, 2));
  auto words = out.words;
  words[1 + 2] &= ~(31u << gpu::kBaseBits);  // z is not as x, and y is
  EXPECT_FALSE(check_channels(words, out.clip.channels, std::array{SlotKind::scale}, 2));
}

TEST(Channels, WhoseMapCannotSayWhatIsStoredAreRefused) {
  const std::vector<SlotMotion> slots{test::vector_motion(SlotKind::translation, {{0, 0, 0}, {1, 2, 3}}, 1e-3)};
  EXPECT_TRUE(encode_channels(slots, std::array{0u, 255u}, 256));
  EXPECT_FALSE(encode_channels(slots, std::array{0u, 256u}, 257));
}

TEST(Channels, WithoutSlotsHaveNoMap) {
  const auto out = encode_channels({}, std::array{0u}, 5).value();
  auto words = out.words;
  words.resize(words.size() + kChannelPadding);
  EXPECT_TRUE(check_channels(words, out.clip, {}, 5));
}

}  // namespace
}  // namespace throng
