// SPDX-License-Identifier: Apache-2.0
// Steps of any size, or none at all between changes, tell the same story.
#include <gtest/gtest.h>

#include "events_oracle.h"

namespace throng {
namespace {

// A script of changes at fixed times, the same whatever the steps in between.
struct Script {
  std::uint32_t seed;
  // Kept here, because the names of what fired lie in it.
  Character model = two_clips();

  // Without steps, all time passes between the changes and at the end.
  Fired play(const std::function<Ticks()>& step) const {
    std::mt19937 random(seed);
    Crowd crowd(model);
    std::vector<InstanceId> ids;
    Fired fired;
    const Ticks start = 777;
    Ticks now = start;
    for (int i = 0; i < 3; ++i) {
      ids.push_back(crowd.add({.play = random_play(random)}, now).value());
      EXPECT_TRUE(crowd.listen(ids.back()));
    }
    for (int change = 0; change < 30; ++change) {
      const Ticks next = now + random() % ticks(0.9);
      if (step) append(fired, advance_by(crowd, now, next, step));
      now = next;
      do_something(crowd, ids[random() % ids.size()], random, now);
    }
    append(fired, advance_by(crowd, now, now + ticks(2.0), [] { return ticks(9.0); }));
    return fired;
  }

  static void append(Fired& fired, const Fired& more) { fired.insert(fired.end(), more.begin(), more.end()); }

  static Play random_play(std::mt19937& random) {
    const auto number = [&](std::uint32_t most) { return static_cast<double>(random() % 1000) / 1000.0 * most; };
    Play play;
    play.clip = ClipId(static_cast<std::uint32_t>(random() % 3));
    play.speed = number(6) - 3.0;
    play.offset = number(2);
    play.mode = static_cast<PlayMode>(random() % 4);
    play.fade = random() % 2 == 0 ? 0.0 : number(1);
    play.in_step = random() % 2 == 0;
    return play;
  }

  static void do_something(Crowd& crowd, InstanceId id, std::mt19937& random, Ticks now) {
    const Play play = random_play(random);
    switch (random() % 7) {
      case 0:
        EXPECT_TRUE(crowd.play(id, play, now));
        break;
      case 1:
        EXPECT_TRUE(crowd.queue(id, play, now));
        break;
      case 2:
        EXPECT_TRUE(crowd.queue(id, play, now));
        break;
      case 3:
        EXPECT_TRUE(crowd.set_speed(id, play.speed, now));
        break;
      case 4:
        EXPECT_TRUE(crowd.seek(id, play.offset, now));
        break;
      case 5:
        EXPECT_TRUE(crowd.pause(id, now));
        break;
      default:
        EXPECT_TRUE(crowd.resume(id, now));
        break;
    }
  }
};

TEST(Events, AreTheSameSequenceInTinyAndInHugeStepsAcrossEveryKindOfChange) {
  std::size_t total = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Script script{.seed = seed};
    std::mt19937 random(seed);
    const Fired tiny = script.play([&] { return 1 + random() % 3000; });
    const Fired huge = script.play([&] { return ticks(100.0); });
    const Fired odd = script.play([&] { return 1 + random() % 600000; });
    ASSERT_EQ(tiny, huge) << seed;
    ASSERT_EQ(tiny, odd) << seed;
    const Fired none = script.play({});
    ASSERT_EQ(tiny, none) << seed;
    total += tiny.size();
  }
  EXPECT_GT(total, 1000u);
}

}  // namespace
}  // namespace throng
