#include "throng/bake/frame_plan.h"

#include <gtest/gtest.h>

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

TEST(FramePlan, UnevenKeysHaveNoRate) {
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.0f, 0.1f, 0.27f, 0.5f, 1.0f})).has_value());
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.0f, 0.0005f, 1.0f})).has_value());
  EXPECT_FALSE(key_rate_of(clip_with_keys({0.5f})).has_value());
}

}  // namespace
}  // namespace throng
