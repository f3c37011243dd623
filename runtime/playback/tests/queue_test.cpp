// SPDX-License-Identifier: Apache-2.0
// What comes after a clip, and when.
#include <gtest/gtest.h>

#include <cmath>

#include "one_of_a_crowd.h"

namespace throng {
namespace {

struct Queued {
  const char* what;
  Play first;
  Play next;
  double asked;   // when it is queued
  double begins;  // when it begins to be heard
};

TEST(Queue, BeginsWhereTheClipBeforeIsOver) {
  const std::vector<Queued> rows{
      {"after a clip that stops", {.clip = ClipId(1)}, {.clip = ClipId(0)}, 0.5, 2.0},
      {"after one that stopped", {.clip = ClipId(1)}, {.clip = ClipId(0)}, 3.0, 3.0},
      {"at the next wrap of a loop", {.clip = ClipId(0)}, {.clip = ClipId(1)}, 3.2, 4.0},
      {"at the wrap of a slow loop", {.clip = ClipId(0), .speed = 0.5}, {.clip = ClipId(1)}, 0.1, 2.0},
      {"backwards, at its first frame",
       {.clip = ClipId(0), .speed = -1.0, .offset = 0.3},
       {.clip = ClipId(1)},
       0.5,
       1.3},
      {"backwards to the start", {.clip = ClipId(1), .speed = -1.0, .offset = 1.5}, {.clip = ClipId(0)}, 0.5, 1.5},
      {"there and back", {.clip = ClipId(0), .mode = PlayMode::ping_pong}, {.clip = ClipId(1)}, 0.5, 2.0},
      {"a fade ends at the end", {.clip = ClipId(1)}, {.clip = ClipId(0), .fade = 0.5}, 0.5, 1.5},
      {"a fade ends at the wrap", {.clip = ClipId(0)}, {.clip = ClipId(1), .fade = 0.3}, 0.2, 0.7},
      {"the wrap that leaves time", {.clip = ClipId(0)}, {.clip = ClipId(1), .fade = 0.3}, 0.8, 1.7},
      {"a fade longer than the loop", {.clip = ClipId(0)}, {.clip = ClipId(1), .fade = 2.5}, 0.1, 0.5},
      {"no time left before the end", {.clip = ClipId(1)}, {.clip = ClipId(0), .fade = 0.5}, 1.9, 1.9},
  };
  for (const Queued& row : rows) {
    One one(row.first);
    one.at(row.asked);
    one.queue(row.next, row.asked);
    EXPECT_EQ(one.at(row.asked).queued, row.begins > row.asked ? 1u : 0u) << row.what;
    if (row.begins > row.asked) {
      EXPECT_EQ(one.at(row.begins - 2 * kTick).track.clip, row.first.clip) << row.what;
    }
    const PlayState begun = one.at(row.begins + 0.1);
    EXPECT_EQ(begun.track.clip, row.next.clip) << row.what;
    EXPECT_NEAR(begun.track.seconds, 0.1, 3 * kTick) << row.what;
    EXPECT_EQ(begun.previous.has_value(), row.next.fade > 0.0) << row.what;
    EXPECT_EQ(begun.queued, 0u);
  }
}

TEST(Queue, PlaysOneAfterAnotherInOneHugeStep) {
  One one({.clip = ClipId(1)});
  one.queue({.clip = ClipId(0), .mode = PlayMode::clamp}, 0.0);
  one.queue({.clip = ClipId(1), .speed = 2.0}, 0.0);
  one.queue({.clip = ClipId(2)}, 0.0);
  Crowd stepped = one.crowd;
  advance_by(stepped, 0, ticks(60.0), [] { return ticks(0.01); });
  const PlayState end = one.at(60.0);
  EXPECT_EQ(end.track.clip, ClipId(2));
  EXPECT_NEAR(end.track.seconds, std::fmod(56.0, 0.6), 1e-4);
  EXPECT_EQ(end.track.phase, stepped.state(one.id, ticks(60.0))->track.phase) << "whatever the steps";
}

TEST(Queue, WaitsForAClipThatStandsStillUntilItMoves) {
  One one({.clip = ClipId(0), .speed = 0.0});
  one.queue({.clip = ClipId(1)}, 0.0);
  EXPECT_EQ(one.at(100.0).track.clip, ClipId(0));
  ASSERT_TRUE(one.crowd.set_speed(one.id, 1.0, ticks(100.0)));
  EXPECT_EQ(one.at(100.9).track.clip, ClipId(0));
  EXPECT_EQ(one.at(101.1).track.clip, ClipId(1));
}

TEST(Queue, WaitsWhilePausedAndIsForgottenByPlay) {
  One one({.clip = ClipId(0)});
  one.queue({.clip = ClipId(1)}, 0.5);
  ASSERT_TRUE(one.crowd.pause(one.id, ticks(0.6)));
  EXPECT_EQ(one.at(50.0).track.clip, ClipId(0));
  ASSERT_TRUE(one.crowd.resume(one.id, ticks(50.0)));
  EXPECT_EQ(one.at(50.39).track.clip, ClipId(0));
  EXPECT_EQ(one.at(50.41).track.clip, ClipId(1));
  one.queue({.clip = ClipId(0)}, 50.5);
  one.play({.clip = ClipId(2)}, 51.0);
  EXPECT_EQ(one.at(99.0).track.clip, ClipId(2));
  one.queue({.clip = ClipId(0)}, 99.0);
  ASSERT_TRUE(one.crowd.clear_queue(one.id));
  EXPECT_EQ(one.at(120.0).track.clip, ClipId(2));
}

// A loop that ends for the next of a queue does not begin its next turn, so its first event does not fire once more.
TEST(Queue, EndsALoopBeforeItsNextTurnBegins) {
  One one({.clip = ClipId(2)});
  ASSERT_TRUE(one.crowd.listen(one.id));
  one.queue({.clip = ClipId(1)}, 0.1);
  const Fired fired = advance_at_once(one.crowd, 0, ticks(5.0));
  EXPECT_EQ(numbers(fired, ClipId(2)), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(numbers(fired, ClipId(1)), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace throng
