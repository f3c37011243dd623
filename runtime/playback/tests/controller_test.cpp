// SPDX-License-Identifier: Apache-2.0
// A controller does what a character of a crowd does, call by call.
#include "throng/playback/controller.h"

#include <gtest/gtest.h>

#include <cmath>

#include "events_oracle.h"

namespace throng {
namespace {

bool same(const TrackState& a, const TrackState& b) {
  return a.clip == b.clip && a.cursor.frame == b.cursor.frame && a.cursor.next == b.cursor.next &&
         a.cursor.blend == b.cursor.blend && a.phase == b.phase && a.weight == b.weight && a.finished == b.finished;
}

bool same(const PlayState& a, const PlayState& b) {
  if (a.previous.has_value() != b.previous.has_value()) return false;
  return same(a.track, b.track) && (!a.previous || same(*a.previous, *b.previous)) && a.paused == b.paused &&
         a.queued == b.queued;
}

// The same change to both.
void change(Controller& one, Crowd& crowd, InstanceId id, std::mt19937& random) {
  const auto number = [&] { return static_cast<double>(random() % 1000) / 250.0 - 2.0; };
  const Play play{.clip = ClipId(static_cast<std::uint32_t>(random() % 3)),
                  .speed = number(),
                  .offset = number(),
                  .mode = static_cast<PlayMode>(random() % 4),
                  .fade = random() % 2 == 0 ? 0.0 : std::abs(number()),
                  .in_step = random() % 2 == 0};
  switch (random() % 6) {
    case 0:
      ASSERT_TRUE(one.play(play) && crowd.play(id, play, one.now()));
      break;
    case 1:
      ASSERT_TRUE(one.queue(play) && crowd.queue(id, play, one.now()));
      break;
    case 2:
      ASSERT_TRUE(one.set_speed(play.speed) && crowd.set_speed(id, play.speed, one.now()));
      break;
    case 3:
      ASSERT_TRUE(one.seek(play.offset) && crowd.seek(id, play.offset, one.now()));
      break;
    case 4:
      one.pause();
      ASSERT_TRUE(crowd.pause(id, one.now()));
      break;
    default:
      one.resume();
      ASSERT_TRUE(crowd.resume(id, one.now()));
      break;
  }
}

TEST(Controller, DoesWhatACharacterOfACrowdDoes) {
  std::mt19937 random(4);
  std::size_t events = 0;
  for (int run = 0; run < 30; ++run) {
    Controller one(two_clips());
    Crowd crowd(two_clips());
    const InstanceId id = crowd.add({}, 0).value();
    ASSERT_TRUE(crowd.listen(id));
    for (int step = 0; step < 60; ++step) {
      Fired of_one;
      Fired of_crowd;
      one.advance(static_cast<double>(random() % 1000) / 900.0, [&](FiredEvent event) {
        event.instance = id;
        of_one.push_back(event);
      });
      crowd.advance(one.now(), [&](const FiredEvent& event) { of_crowd.push_back(event); });
      ASSERT_EQ(of_one, of_crowd) << run << " " << step;
      events += of_one.size();
      change(one, crowd, id, random);
      ASSERT_TRUE(same(one.state(), crowd.state(id, one.now()).value())) << run << " " << step;
    }
  }
  EXPECT_GT(events, 1000u);
}

TEST(Controller, PlaysByNameAndSaysWhatItCannot) {
  Controller one(two_clips());
  ASSERT_TRUE(one.play("death"));
  EXPECT_EQ(one.state().track.clip, ClipId(1));
  ASSERT_TRUE(one.queue("run", {.fade = 0.2}));
  one.advance(10.0);
  EXPECT_EQ(one.state().track.clip, ClipId(2));
  EXPECT_FALSE(one.play("deth"));
  EXPECT_FALSE(one.queue("deth"));
  EXPECT_FALSE(one.play(Play{.clip = ClipId(9)}));
  EXPECT_FALSE(one.set_speed(NAN));
  EXPECT_FALSE(one.seek(INFINITY));
  EXPECT_FALSE(one.socket(SocketId(0)));
  EXPECT_EQ(one.state().track.clip, ClipId(2));
}

}  // namespace
}  // namespace throng
