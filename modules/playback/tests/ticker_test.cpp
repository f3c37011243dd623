#include "throng/playback/ticker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace throng {
namespace {

BakedClip make_clip(double length, std::uint32_t frames, bool loops, std::vector<BakedEvent> events = {}) {
  BakedClip clip;
  clip.name = "clip";
  clip.length = length;
  clip.frame_count = frames;
  clip.loops = loops;
  clip.events = std::move(events);
  return clip;
}

std::vector<std::uint32_t> fired(Ticker& ticker, double seconds) {
  std::vector<std::uint32_t> events;
  ticker.advance(ticks_from_seconds(seconds), [&](std::uint32_t event) { events.push_back(event); });
  return events;
}

// F1: a clip of 1.02 s baked as 31 frames runs through all of them at an even pace; nothing snaps at the seam.
TEST(Ticker, PassesThroughEveryFrameOfALoopEvenly) {
  const ClipTiming timing = clip_timing(make_clip(1.02, 31, true));
  for (std::uint32_t frame = 0; frame < 62; ++frame) {
    const Ticker ticker(timing, 1.0, (frame + 0.5) * 1.02 / 31.0);
    EXPECT_EQ(ticker.cursor().frame, frame % 31);
    EXPECT_EQ(ticker.cursor().next, (frame + 1) % 31);
    EXPECT_NEAR(ticker.cursor().blend, 0.5f, 1e-5f);
  }
}

// F2: the last stored frame is the pose at the clip's length, and is reached.
TEST(Ticker, EndsExactlyOnTheLastFrameOfAClipThatDoesNotLoop) {
  const ClipTiming timing = clip_timing(make_clip(2.0, 61, false));
  Ticker ticker(timing);
  ticker.advance(ticks_from_seconds(1.0));
  EXPECT_NEAR(ticker.cursor().frame + static_cast<double>(ticker.cursor().blend), 30.0, 1e-4);
  EXPECT_FALSE(ticker.finished());
  ticker.advance(ticks_from_seconds(1.5));
  EXPECT_EQ(ticker.cursor().frame, 60u);
  EXPECT_EQ(ticker.cursor().next, 60u);
  EXPECT_EQ(ticker.cursor().blend, 0.0f);
  EXPECT_EQ(ticker.time(), 2.0);
  EXPECT_TRUE(ticker.finished());
}

TEST(Ticker, CountsFramesFromTheClipsFirstFrameInItsLayer) {
  BakedClip clip = make_clip(1.0, 10, true);
  clip.first_frame = 100;
  const ClipTiming timing = clip_timing(clip);
  const Ticker ticker(timing, 1.0, 0.95);
  EXPECT_EQ(ticker.cursor().frame, 109u);
  EXPECT_EQ(ticker.cursor().next, 100u);
}

TEST(Ticker, HoldsTheOnlyFrameOfAPose) {
  for (const bool loops : {false, true}) {
    const ClipTiming timing = clip_timing(make_clip(0.0, 1, loops));
    Ticker ticker(timing);
    ticker.advance(ticks_from_seconds(3.7));
    EXPECT_EQ(ticker.cursor().frame, 0u);
    EXPECT_EQ(ticker.cursor().next, 0u);
  }
}

TEST(Ticker, BlendStaysBelowOneAndFramesInRangeForAnyPhase) {
  std::mt19937_64 random(7);
  for (const bool loops : {false, true}) {
    for (int i = 0; i < 20000; ++i) {
      const auto frames = static_cast<std::uint32_t>(1 + random() % 65535);
      ClipRecord record{};
      record.loops = loops ? 1 : 0;
      record.frame_count = frames;
      const std::uint64_t phase = i < 8 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(i) : random();
      const Cursor cursor =
          gpu::cursor_at(record, {static_cast<gpu::uint>(phase), static_cast<gpu::uint>(phase >> 32)});
      ASSERT_LT(cursor.frame, frames);
      ASSERT_LT(cursor.next, frames);
      ASSERT_GE(cursor.blend, 0.0f);
      ASSERT_LT(cursor.blend, 1.0f);
    }
  }
}

// F3: the window crosses the wrap with an event just before it.
TEST(Ticker, FiresAnEventJustBeforeTheWrapWhenTheWindowCrossesIt) {
  const ClipTiming timing = clip_timing(make_clip(1.0, 30, true, {{0.98, "late"}}));
  Ticker ticker(timing, 1.0, 0.95);
  EXPECT_EQ(fired(ticker, 0.1), (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(fired(ticker, 0.1).empty());
}

// F3: a window longer than a loop fires once per loop.
TEST(Ticker, FiresOncePerLoopInAWindowOfManyLoops) {
  const ClipTiming timing = clip_timing(make_clip(0.5, 15, true, {{0.1, "a"}, {0.4, "b"}}));
  Ticker ticker(timing);
  const auto events = fired(ticker, 5.0);
  EXPECT_EQ(events.size(), 20u);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i], i % 2);
}

TEST(Ticker, FiresAnEventAtFrameZeroWhenPlayBeginsAndOnEveryWrap) {
  const ClipTiming timing = clip_timing(make_clip(1.0, 30, true, {{0.0, "first"}, {1.0, "end is the first again"}}));
  Ticker ticker(timing);
  EXPECT_EQ(fired(ticker, 0.25).size(), 2u);
  EXPECT_EQ(fired(ticker, 0.5).size(), 0u);
  EXPECT_EQ(fired(ticker, 0.5).size(), 2u);
}

TEST(Ticker, FiresAnEventAtTheEndOfAClipThatStopsOnce) {
  const ClipTiming timing = clip_timing(make_clip(1.0, 31, false, {{1.0, "end"}}));
  Ticker ticker(timing);
  EXPECT_TRUE(fired(ticker, 0.9).empty());
  EXPECT_EQ(fired(ticker, 0.9).size(), 1u);
  EXPECT_TRUE(fired(ticker, 0.9).empty());
}

TEST(Ticker, FiresBackwardsInReverseOrder) {
  const ClipTiming timing = clip_timing(make_clip(1.0, 30, true, {{0.2, "a"}, {0.8, "b"}}));
  Ticker ticker(timing, -1.0, 0.5);
  EXPECT_EQ(fired(ticker, 1.0), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_NEAR(ticker.time(), 0.5, 1e-6);
}

TEST(Ticker, StopsAtTheStartWhenPlayedBackwards) {
  const ClipTiming timing = clip_timing(make_clip(1.0, 31, false, {{0.0, "start"}}));
  Ticker ticker(timing, -2.0, 0.5);
  EXPECT_EQ(fired(ticker, 1.0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(ticker.cursor().frame, 0u);
  EXPECT_TRUE(ticker.finished());
}

// The number of times k ≥ 0 for which (from, to] holds offset + k · length, counted without the code under test.
std::int64_t crossings(double from, double to, double offset, double length) {
  return static_cast<std::int64_t>(std::floor((to - offset) / length) - std::floor((from - offset) / length));
}

TEST(Ticker, LosesAndDoublesNoEventOverRandomSteps) {
  std::mt19937 random(42);
  std::uniform_real_distribution<double> step(0.0, 1.0);
  for (int run = 0; run < 50; ++run) {
    const double length = 0.1 + 2.0 * step(random);
    const double speed = 0.2 + 3.0 * step(random);
    const std::vector<BakedEvent> events{{0.13 * length, "a"}, {0.5 * length, "b"}, {0.97 * length, "c"}};
    const ClipTiming timing = clip_timing(make_clip(length, 30, true, events));
    Ticker ticker(timing, speed);
    std::map<std::uint32_t, std::int64_t> counts;
    Clock clock;
    for (int i = 0; i < 2000; ++i) {
      const double seconds = std::pow(step(random), 6.0) * 5.0;
      ticker.advance(clock.advance(seconds), [&](std::uint32_t event) { ++counts[event]; });
    }
    const double played = seconds_from_ticks(clock.now()) * speed;
    for (std::uint32_t e = 0; e < 3; ++e) EXPECT_EQ(counts[e], crossings(0.0, played, events[e].time, length)) << run;
  }
}

// F8: a whole day in random steps; the phase is where exact arithmetic puts it, and the frames are those of one big
// step.
TEST(Ticker, DoesNotDriftInADayOfRandomSteps) {
  const double length = 1.37;
  const ClipTiming timing = clip_timing(make_clip(length, 41, true));
  Ticker stepped(timing);
  Clock clock;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> step(0.0, 0.1);
  double total = 0.0;
  while (total < 86400.0) {
    const double seconds = step(random);
    total += seconds;
    stepped.advance(clock.advance(seconds));
  }
  Ticker jumped(timing);
  jumped.advance(clock.now());
  EXPECT_EQ(stepped.cursor().frame, jumped.cursor().frame);
  EXPECT_EQ(stepped.cursor().blend, jumped.cursor().blend);
  const double drift = std::remainder(stepped.time() - total, length);
  EXPECT_LT(std::abs(drift), 1e-5);
}

TEST(Clock, CarriesWhatIsLeftOfATick) {
  Clock clock;
  for (int i = 0; i < 3000000; ++i) clock.advance(1.0 / 3000000.0);
  EXPECT_NEAR(seconds_from_ticks(clock.now()), 1.0, 2.0 / static_cast<double>(kTicksPerSecond));
}

TEST(Clock, IgnoresStepsThatAreNoTime) {
  Clock clock;
  EXPECT_EQ(clock.advance(-1.0), 0u);
  EXPECT_EQ(clock.advance(std::nan("")), 0u);
  EXPECT_EQ(clock.advance(INFINITY), 0u);
  EXPECT_EQ(clock.now(), 0u);
}

TEST(Clock, HoldsTimesBeyondAllReasonAtItsEnds) {
  EXPECT_EQ(ticks_from_seconds(1e30), ticks_from_seconds(1e300));
  EXPECT_EQ(ticks_from_seconds(-1e30), Ticks{0} - ticks_from_seconds(1e30));
  EXPECT_GT(Clock().advance(1e30), 0u);
}

}  // namespace
}  // namespace throng
