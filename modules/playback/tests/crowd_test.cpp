#include "throng/playback/crowd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace throng {
namespace {

BakedModel two_clips() {
  BakedModel model;
  BakedClip walk;
  walk.name = "walk";
  walk.length = 1.0;
  walk.loops = true;
  walk.frame_count = 30;
  walk.events = {{0.25, "left"}, {0.75, "right"}};
  BakedClip death = walk;
  death.name = "death";
  death.loops = false;
  death.length = 2.0;
  death.frame_count = 61;
  death.first_frame = 30;
  death.events = {{0.0, "cry"}, {2.0, "still"}};
  model.clips = {walk, death};
  return model;
}

TEST(Crowd, FindsTheFramesThatATickerFinds) {
  const BakedModel model = two_clips();
  Crowd crowd(model);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (std::uint32_t i = 0; i < 500; ++i) {
    const Play play{i % 2, 4.0 * unit(random) - 2.0, 3.0 * unit(random)};
    const Ticks start = random() % (kTicksPerSecond * 3600);
    ASSERT_TRUE(crowd.add({}, play, {}, start));
    const ClipTiming timing = clip_timing(model.clips[play.clip]);
    Ticker ticker(timing, play.speed, play.offset);
    Ticks now = start;
    for (int step = 0; step < 20; ++step) {
      const Ticks elapsed = random() % kTicksPerSecond;
      now += elapsed;
      ticker.advance(elapsed);
      EXPECT_EQ(ticker.cursor().frame, crowd.cursor(i, now).frame);
      EXPECT_EQ(ticker.cursor().next, crowd.cursor(i, now).next);
      EXPECT_EQ(ticker.cursor().blend, crowd.cursor(i, now).blend);
    }
  }
}

TEST(Crowd, StaysAtTheEndOfAClipThatStops) {
  Crowd crowd(two_clips());
  ASSERT_TRUE(crowd.add({}, {1, 1.0, 0.0}, {}, 5));
  for (const double seconds : {2.5, 1e3, 1e6, 1e11}) {
    EXPECT_EQ(crowd.cursor(0, 5 + ticks_from_seconds(seconds)).frame, 90u) << seconds;
  }
}

TEST(Crowd, FiresEventsOnceOverWindowsThatTouch) {
  Crowd crowd(two_clips());
  const Ticks start = 1000;
  ASSERT_TRUE(crowd.add({}, {0, 1.0, 0.0}, {}, start));
  ASSERT_TRUE(crowd.add({}, {1, 1.0, 0.0}, {}, start));
  std::vector<int> counts(2);
  std::vector<int> death_counts(2);
  Ticks from = 0;
  for (Ticks to = 0; to < start + 10 * kTicksPerSecond; to += 777) {
    crowd.fire_events(0, from, to, [&](std::uint32_t event) { ++counts[event]; });
    crowd.fire_events(1, from, to, [&](std::uint32_t event) { ++death_counts[event]; });
    from = to;
  }
  EXPECT_EQ(counts, (std::vector<int>{10, 10}));
  EXPECT_EQ(death_counts, (std::vector<int>{1, 1}));
}

TEST(Crowd, FiresNothingInAWindowThatRunsBackwards) {
  Crowd crowd(two_clips());
  ASSERT_TRUE(crowd.add({}, {0, 1.0, 0.0}, {}, 0));
  int fired = 0;
  crowd.fire_events(0, 20 * kTicksPerSecond, 10 * kTicksPerSecond, [&](std::uint32_t) { ++fired; });
  crowd.fire_events(0, 10 * kTicksPerSecond, 10 * kTicksPerSecond, [&](std::uint32_t) { ++fired; });
  EXPECT_EQ(fired, 0);
}

TEST(Crowd, RefusesWhatCannotBeDrawnAndChangesNothing) {
  Crowd crowd(two_clips());
  ASSERT_TRUE(crowd.add({}, {}, {}, 0));
  const std::uint64_t version = crowd.version();
  Placement bad;
  bad.position.y = NAN;
  EXPECT_FALSE(crowd.add(bad, {}, {}, 0));
  EXPECT_FALSE(crowd.place(0, bad));
  bad = {};
  bad.rotation = glm::quat(0.0f, 0.0f, 0.0f, 0.0f);
  EXPECT_FALSE(crowd.add(bad, {}, {}, 0));
  bad = {};
  bad.scale = 0.0f;
  EXPECT_FALSE(crowd.add(bad, {}, {}, 0));
  bad.scale = -1.0f;
  EXPECT_FALSE(crowd.add(bad, {}, {}, 0));
  EXPECT_FALSE(crowd.paint(1, {}));
  EXPECT_FALSE(crowd.play(0, {2, 1.0, 0.0}, 0));
  EXPECT_FALSE(crowd.play(1, {0, 1.0, 0.0}, 0));
  EXPECT_FALSE(crowd.play(0, {0, INFINITY, 0.0}, 0));
  EXPECT_FALSE(crowd.remove(1));
  EXPECT_EQ(crowd.version(), version);
  EXPECT_EQ(crowd.size(), 1u);
}

TEST(Crowd, GivesTheLastInstanceTheRemovedOnesPlace) {
  Crowd crowd(two_clips());
  for (int i = 0; i < 3; ++i) {
    Placement placement;
    placement.position.x = static_cast<float>(i);
    ASSERT_TRUE(crowd.add(placement, {}, {}, 0));
  }
  ASSERT_TRUE(crowd.remove(0));
  ASSERT_EQ(crowd.size(), 2u);
  EXPECT_EQ(crowd.records()[0].position.x, 2.0f);
  EXPECT_EQ(crowd.records()[1].position.x, 1.0f);
}

TEST(Crowd, PacksTintAndNormalisesRotation) {
  Crowd crowd(two_clips());
  Placement placement;
  placement.rotation = glm::quat(2.0f, 0.0f, 0.0f, 0.0f);
  ASSERT_TRUE(crowd.add(placement, {}, Tint{1, 2, 3, 4}, 0));
  EXPECT_EQ(crowd.records()[0].tint, 0x04030201u);
  EXPECT_EQ(crowd.records()[0].rotation, glm::vec4(0.0f, 0.0f, 0.0f, 1.0f));
}

}  // namespace
}  // namespace throng
