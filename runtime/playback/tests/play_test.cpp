// SPDX-License-Identifier: Apache-2.0
// What play, fade, pause, seek and speed mean.
#include <gtest/gtest.h>

#include <cmath>

#include "one_of_a_crowd.h"

namespace throng {
namespace {

TEST(Play, StaysAtTheEndOfAClipThatStops) {
  One one({.clip = ClipId(1)});
  EXPECT_FALSE(one.at(1.9).track.finished);
  for (const double seconds : {2.5, 1e3, 1e6, 1e11}) {
    EXPECT_EQ(one.at(seconds).track.cursor.frame, 90u) << seconds;
    EXPECT_EQ(one.at(seconds).track.cursor.blend, 0.0f) << seconds;
    EXPECT_TRUE(one.at(seconds).track.finished);
    EXPECT_EQ(one.at(seconds).track.seconds, 2.0);
  }
}

TEST(Play, GoesThereAndBack) {
  One one({.clip = ClipId(1), .mode = PlayMode::ping_pong});
  for (const auto& [seconds, place] : std::vector<std::pair<double, double>>{
           {0.5, 0.5}, {1.5, 1.5}, {2.5, 1.5}, {3.5, 0.5}, {4.5, 0.5}, {4001.0, 1.0}}) {
    EXPECT_NEAR(one.at(seconds).track.seconds, place, kTick) << seconds;
  }
}

TEST(Play, PassesThroughEveryFrameOfALoopEvenly) {
  CharacterDraft draft;
  draft.clips = {make_clip("loop", 1.02, 31, true)};
  const Character model = test::built_from_clips(std::move(draft));
  for (std::uint32_t frame = 0; frame < 62; ++frame) {
    Crowd crowd(model);
    const InstanceId id = crowd.add({.play = {.offset = (frame + 0.5) * 1.02 / 31.0}}, 7).value();
    const Cursor cursor = crowd.state(id, 7)->track.cursor;
    EXPECT_EQ(cursor.frame, frame % 31);
    EXPECT_EQ(cursor.next, (frame + 1) % 31);
    EXPECT_NEAR(cursor.blend, 0.5f, 1e-5f);
  }
}

TEST(Play, ByNameFindsTheClipOrNamesThoseSpelledLikeIt) {
  One one;
  ASSERT_TRUE(one.crowd.play(one.id, "run", {.speed = 2.0}, 0));
  EXPECT_EQ(one.at(0.0).track.clip, ClipId(2));
  const auto refused = one.crowd.play(one.id, "wlak", {}, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no clip is named 'wlak'; did you mean 'walk'?");
  EXPECT_EQ(one.crowd.find_clip(ModelId(0), "fly").error().message,
            "no clip is named 'fly'; there are 'walk', 'death', 'run'");
  EXPECT_EQ(one.crowd.find_clip(ModelId(1), "walk").error().message,
            "model 1 does not exist; the crowd has 1: see Crowd::add()");
  EXPECT_EQ(one.at(0.0).track.clip, ClipId(2)) << "nothing has changed";
}

TEST(Play, FadesOverTheTimeItIsGiven) {
  One one({.clip = ClipId(0)});
  one.play({.clip = ClipId(2), .fade = 0.4}, 0.5);
  EXPECT_EQ(one.crowd.instances(ModelId(0))[0].clips, 2u);
  EXPECT_EQ(one.at(0.5).track.weight, 0.0f);
  EXPECT_NEAR(one.at(0.7).track.weight, 0.5f, 1e-4f);
  EXPECT_NEAR(one.at(0.7).previous->weight, 0.5f, 1e-4f);
  EXPECT_NEAR(one.at(0.7).previous->seconds, 0.7, kTick) << "what fades out plays on";
  EXPECT_NEAR(one.at(0.7).track.seconds, 0.2, kTick);
  EXPECT_TRUE(one.at(0.899).previous);
  const PlayState after = one.at(0.9);
  EXPECT_EQ(after.track.weight, 1.0f);
  EXPECT_FALSE(after.previous);
  EXPECT_EQ(one.crowd.plays(ModelId(0))[0].fade_ticks, 0u);
  EXPECT_EQ(one.crowd.instances(ModelId(0))[0].clips, 2u | gpu::kNoClip << 16);
}

TEST(Play, WritesNothingForFadesUntilTheyAreOver) {
  One one;
  one.play({.clip = ClipId(2), .fade = 1.0}, 0.0);
  const std::uint64_t version = one.crowd.version(ModelId(0));
  one.at(0.5);
  EXPECT_EQ(one.crowd.version(ModelId(0)), version);
  one.at(1.0);
  EXPECT_EQ(one.crowd.version(ModelId(0)), version + 1);
  one.at(9.0);
  EXPECT_EQ(one.crowd.version(ModelId(0)), version + 1);
}

TEST(Play, InStepBothTurnAtTheNewClipsRateWhileTheyFade) {
  One one({.clip = ClipId(0), .offset = 0.3});
  one.play({.clip = ClipId(2), .fade = 0.5, .in_step = true}, 0.25);
  for (const double seconds : {0.25, 0.3, 0.5, 0.7}) {
    const PlayState state = one.at(seconds);
    const double phase = std::fmod(0.55 + (seconds - 0.25) / 0.6, 1.0);
    EXPECT_NEAR(state.track.phase, phase, 1e-5) << seconds;
    ASSERT_TRUE(state.previous);
    EXPECT_NEAR(state.previous->phase, phase, 1e-5) << seconds;
  }
}

TEST(Play, InStepAtAnotherSpeedIsKeptByBoth) {
  One one;
  one.play({.clip = ClipId(2), .fade = 1.0, .in_step = true}, 0.1);
  one.at(0.3);
  ASSERT_TRUE(one.crowd.set_speed(one.id, -0.5, ticks(0.3)));
  const PlayState state = one.at(0.5);
  const double phase = 0.1 + 0.2 / 0.6 - 0.5 * 0.2 / 0.6;
  EXPECT_NEAR(state.track.phase, phase, 1e-5);
  EXPECT_NEAR(state.previous->phase, phase, 1e-5);
}

TEST(Play, DuringAFadeTheHeavierClipIsWhatFadesOut) {
  for (const auto& [seconds, heavier] : std::vector<std::pair<double, std::uint32_t>>{{0.3, 0}, {0.7, 2}}) {
    One one({.clip = ClipId(0)});
    one.play({.clip = ClipId(2), .fade = 1.0}, 0.0);
    one.play({.clip = ClipId(1), .fade = 1.0}, seconds);
    const PlayState state = one.at(seconds + 0.1);
    EXPECT_EQ(state.track.clip, ClipId(1));
    ASSERT_TRUE(state.previous);
    EXPECT_EQ(state.previous->clip, ClipId(heavier)) << seconds;
    EXPECT_NEAR(state.previous->seconds, std::fmod(seconds + 0.1, heavier == 2 ? 0.6 : 1.0), kTick);
  }
}

TEST(Play, OfTheClipThatFadesOutTurnsTheFadeRoundWithoutAJump) {
  for (const double seconds : {0.0, 0.2, 0.5, 0.9}) {
    One one({.clip = ClipId(0)});
    one.play({.clip = ClipId(2), .fade = 1.0}, 0.0);
    const PlayState before = one.at(seconds);
    one.play({.clip = ClipId(0), .offset = 0.123, .fade = 0.5}, seconds);
    const PlayState after = one.at(seconds);
    EXPECT_EQ(after.track.clip, ClipId(0));
    EXPECT_NEAR(after.track.weight, 1.0f - before.track.weight, 1e-5f) << seconds;
    EXPECT_NEAR(after.track.phase, std::fmod(seconds, 1.0), 1e-5) << "goes on from where it is";
    const double left = 0.5 * seconds;
    EXPECT_TRUE(seconds == 0.0 || one.at(seconds + 0.99 * left).previous);
    EXPECT_FALSE(one.at(seconds + left + kTick).previous) << "back in the new fade's time";
  }
}

TEST(Play, ChangesSpeedWithoutAJump) {
  One one({.clip = ClipId(0)});
  double place = 0.0;
  double speed = 1.0;
  double now = 0.0;
  for (const double next : {3.0, -2.0, 0.0, 0.25, -1.0}) {
    place += 0.37 * speed;
    now += 0.37;
    EXPECT_NEAR(std::remainder(one.at(now).track.seconds - place, 1.0), 0.0, 20 * kTick) << next;
    ASSERT_TRUE(one.crowd.set_speed(one.id, next, ticks(now)));
    EXPECT_NEAR(std::remainder(one.at(now).track.seconds - place, 1.0), 0.0, 20 * kTick) << next;
    speed = next;
  }
}

TEST(Play, TurnsRoundAtTheEndOfAClipThatStopped) {
  One one({.clip = ClipId(1)});
  one.at(5.0);
  ASSERT_TRUE(one.crowd.set_speed(one.id, -1.0, ticks(5.0)));
  EXPECT_NEAR(one.at(5.5).track.seconds, 1.5, 2 * kTick);
  EXPECT_EQ(one.at(8.0).track.seconds, 0.0);
  EXPECT_TRUE(one.at(8.0).track.finished);
}

TEST(Play, SeeksAndPlaysOnFromThere) {
  One one({.clip = ClipId(0), .speed = 2.0});
  one.at(0.3);
  ASSERT_TRUE(one.crowd.seek(one.id, 0.8, ticks(0.3)));
  EXPECT_NEAR(one.at(0.3).track.seconds, 0.8, kTick);
  EXPECT_NEAR(one.at(0.35).track.seconds, 0.9, kTick);
  ASSERT_TRUE(one.crowd.seek(one.id, -0.25, ticks(0.35)));
  EXPECT_NEAR(one.at(0.35).track.seconds, 0.75, kTick) << "a loop wraps";
}

TEST(Play, StandsStillWhilePausedAndGoesOnAsBefore) {
  One one({.clip = ClipId(0), .speed = 1.5});
  one.play({.clip = ClipId(2), .speed = 0.5, .fade = 0.4}, 0.1);
  one.at(0.2);
  ASSERT_TRUE(one.crowd.pause(one.id, ticks(0.2)));
  ASSERT_TRUE(one.crowd.pause(one.id, ticks(0.25))) << "again, to no effect";
  const PlayState paused = one.at(0.4);
  EXPECT_TRUE(paused.paused);
  EXPECT_NEAR(paused.track.seconds, 0.05, kTick);
  ASSERT_TRUE(paused.previous);
  EXPECT_NEAR(paused.previous->seconds, 0.3, kTick);
  EXPECT_NEAR(one.at(10.0).track.seconds, 0.05, kTick);
  ASSERT_TRUE(one.crowd.resume(one.id, ticks(10.0)));
  EXPECT_FALSE(one.at(10.0).paused);
  EXPECT_NEAR(one.at(10.2).track.seconds, 0.15, 2 * kTick);
}

TEST(Play, TakesASpeedWhilePausedForLater) {
  One one({.clip = ClipId(0)});
  one.at(0.5);
  ASSERT_TRUE(one.crowd.pause(one.id, ticks(0.5)));
  ASSERT_TRUE(one.crowd.set_speed(one.id, 2.0, ticks(0.6)));
  EXPECT_NEAR(one.at(0.8).track.seconds, 0.5, kTick);
  ASSERT_TRUE(one.crowd.resume(one.id, ticks(1.0)));
  EXPECT_NEAR(one.at(1.1).track.seconds, 0.7, 2 * kTick);
}

}  // namespace
}  // namespace throng
