// SPDX-License-Identifier: Apache-2.0
#include "throng/bake/frame_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

Clip clip_with_keys(std::vector<float> times) {
  Clip clip;
  clip.start = times.front();
  clip.end = times.back();
  BoneTrack track;
  track.translation.values.resize(times.size());
  track.translation.times = std::move(times);
  clip.bones.push_back(std::move(track));
  return clip;
}

std::vector<float> grid(double start, double rate, int keys) {
  std::vector<float> times;
  for (int i = 0; i < keys; ++i) times.push_back(static_cast<float>(start + i / rate));
  return times;
}

// Spec F1: 1.02 s at 30 frames a second is 31 frames whose rate divides the loop exactly, not 30 and a snap at the end.
TEST(FramePlan, LoopIsAWholeNumberOfFrames) {
  const FramePlan plan = plan_loop(1.02, 30.0);
  EXPECT_TRUE(plan.loops);
  EXPECT_EQ(plan.frame_count, 31u);
  EXPECT_DOUBLE_EQ(plan.time_of(31), 1.02);
  EXPECT_DOUBLE_EQ(plan.time_of(1), 1.02 / 31.0);
}

// Spec F2: the pose at the end is stored.
TEST(FramePlan, LastFrameOfAClipThatStopsIsItsEnd) {
  const FramePlan plan = plan_once(1.02, 30.0);
  EXPECT_FALSE(plan.loops);
  EXPECT_EQ(plan.frame_count, 32u);
  EXPECT_DOUBLE_EQ(plan.time_of(31), 1.02);
  EXPECT_EQ(plan.time_of(0), 0.0);
}

TEST(FramePlan, NoLengthIsOneFrame) {
  EXPECT_EQ(plan_loop(0.0, 30.0).frame_count, 1u);
  EXPECT_EQ(plan_once(0.0, 30.0).frame_count, 1u);
  EXPECT_FALSE(plan_loop(0.0, 30.0).loops);
  EXPECT_EQ(plan_once(0.0, 30.0).time_of(0), 0.0);
}

TEST(FramePlan, ShortClipsKeepTheirEnds) {
  EXPECT_EQ(plan_once(0.001, 30.0).frame_count, 2u);
  EXPECT_EQ(plan_loop(0.001, 30.0).frame_count, 1u);
}

TEST(FramePlan, RateIsAWholeMultipleOfTheKeyRate) {
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 24.0), 24.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 12.0), 36.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 10.0), 30.0);
  EXPECT_DOUBLE_EQ(fitting_rate(60.0, 24.0), 72.0);
  EXPECT_DOUBLE_EQ(fitting_rate(48.0, 24.0), 48.0);
}

TEST(FramePlan, FasterKeysAreSkippedOnlyEvenly) {
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 60.0), 30.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 120.0), 30.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 48.0), 24.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 50.0), 25.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 31.0), 31.0) << "no key is skipped where that is nearest";
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 40.0), 40.0) << "of two as near, the faster";
}

// Key times are floats, so a rate is rarely the number it was meant to be; it may fall on either side.
TEST(FramePlan, KeyRatesThatAreSlightlyOffAreStillSkippedEvenly) {
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 59.9998), 29.9999);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 60.0002), 30.0001);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 30.0001), 30.0001);
}

TEST(FramePlan, WithoutAKeyRateTheWantedRateStands) { EXPECT_DOUBLE_EQ(fitting_rate(30.0, std::nullopt), 30.0); }

TEST(FramePlan, KeyRateIsFoundOnAGridThatStartsLate) {
  const auto rate = key_rate_of(clip_with_keys(grid(1.0 / 24.0, 24.0, 48)));
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, 24.0, 1e-3);
}

TEST(FramePlan, KeyRateIsFoundWhenKeysAreMissingFromTheGrid) {
  const auto rate = key_rate_of(clip_with_keys({0.0f, 0.1f, 0.2f, 0.5f, 1.0f}));
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, 10.0, 1e-3);
}

// Hand-made keys at 24 a second, no two of them on neighbouring frames.
TEST(FramePlan, KeyRateIsFoundWhenNoTwoKeysAreNeighbours) {
  std::vector<float> times;
  for (const int frame : {0, 7, 12, 20, 34}) times.push_back(static_cast<float>(frame) / 24.0f);
  const auto rate = key_rate_of(clip_with_keys(times));
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, 24.0, 1e-3);
}

// Some exporters round times to milliseconds: the two nearest keys are then nearer than the rest, and counted by them
// ten seconds would have 303 intervals.
TEST(FramePlan, KeyRateIsFoundInTimesRoundedToMilliseconds) {
  std::vector<float> times;
  for (int i = 0; i <= 300; ++i) times.push_back(static_cast<float>(std::round(i / 30.0 * 1000.0) / 1000.0));
  const auto rate = key_rate_of(clip_with_keys(times));
  ASSERT_TRUE(rate.has_value());
  EXPECT_NEAR(*rate, 30.0, 1e-3);
}

TEST(FramePlan, KeysOfMorphTargetsCount) {
  Clip clip = clip_with_keys(grid(0.0, 10.0, 11));
  clip.morphs.push_back({});
  clip.morphs[0].weights.times = grid(0.0, 20.0, 21);
  EXPECT_NEAR(key_rate_of(clip).value_or(0.0), 20.0, 1e-3);
}

TEST(FramePlan, UnevenKeysHaveNoRate) {
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.0f, 0.1f, 0.27f, 0.5f, 1.0f})).has_value());
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.0f, 0.0005f, 1.0f})).has_value());
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.5f})).has_value());
}

// Of 63 intervals at 120 a second every fourth key cannot be taken; every third can.
TEST(FramePlan, SkippedKeysDivideTheClipWhereANearRateDoes) {
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 120.0, 63), 40.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 120.0, 64), 30.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 120.0, 65), 24.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 45.0, 31), 45.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 60.0, 60), 30.0);
}

TEST(FramePlan, ClipsThatNoNearRateDividesKeepTheNearestRate) {
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 60.0, 61), 30.0);
  EXPECT_DOUBLE_EQ(fitting_rate(30.0, 120.0, 127), 30.0);
}

TEST(FramePlan, EveryFrameOfADividedClipIsAKey) {
  const Clip clip = clip_with_keys(grid(0.0, 120.0, 64));
  const double rate = fitting_rate(30.0, key_rate_of(clip), key_intervals(clip.length(), *key_rate_of(clip)));
  const FramePlan plan = plan_once(clip.length(), rate);
  ASSERT_EQ(plan.frame_count, 22u);
  for (std::uint32_t frame = 0; frame < plan.frame_count; ++frame) {
    const double key = plan.time_of(frame) * 120.0;
    EXPECT_NEAR(key, std::round(key), 1e-4) << frame;
  }
}

TEST(CandidateRates, AreFractionsAndMultiplesOfTheKeyRate) {
  const std::vector<double> rates = candidate_rates(clip_with_keys(grid(0.0, 24.0, 49)), 30.0, 120.0);
  const std::vector<double> expected{6.0, 8.0, 12.0, 24.0, 48.0, 72.0, 96.0, 120.0};
  ASSERT_EQ(rates.size(), expected.size());
  // Key times are floats.
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-4);
}

TEST(CandidateRates, ClimbByAQuarterWhereKeysAreUneven) {
  const std::vector<double> rates = candidate_rates(std::nullopt, 10.0, 30.0, 100.0);
  EXPECT_GE(rates.front(), 4.9);
  EXPECT_LT(rates.front(), 6.25);
  EXPECT_LE(rates.back(), 100.0);
  EXPECT_GT(rates.back(), 80.0);
  for (std::size_t i = 1; i < rates.size(); ++i) EXPECT_NEAR(rates[i] / rates[i - 1], 1.25, 1e-9);
  EXPECT_NE(std::find(rates.begin(), rates.end(), 30.0), rates.end());
}

TEST(CandidateRates, EachMakesMoreFramesThanTheOneBefore) {
  for (const double key_rate : {0.1, 1.0, 7.0, 30.0, 499.0}) {
    const std::vector<double> rates = candidate_rates(key_rate, 20.0, 30.0, 240.0);
    EXPECT_LT(rates.size(), 120u) << key_rate;
    for (std::size_t i = 1; i < rates.size(); ++i) {
      EXPECT_GT(plan_loop(20.0, rates[i]).frame_count, plan_loop(20.0, rates[i - 1]).frame_count) << key_rate;
    }
    EXPECT_LE(rates.back(), 240.0 * 1.001) << key_rate;
  }
  // Two frames of a short clip are two frames at any low rate.
  EXPECT_EQ(candidate_rates(30.0, 1.0 / 30.0, 30.0, 30.0).size(), 1u);
}

TEST(CandidateRates, AreNeverNone) {
  EXPECT_EQ(candidate_rates(std::nullopt, 0.0, 30.0, 240.0), std::vector<double>{30.0});
  EXPECT_EQ(candidate_rates(std::nullopt, 1.0, 30.0, 2.0), std::vector<double>{2.0});
}

}  // namespace
}  // namespace throng
