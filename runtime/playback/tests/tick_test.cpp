// SPDX-License-Identifier: Apache-2.0
// The frames found on the CPU are those the shader finds, bit for bit, and time does not drift.
#include <gtest/gtest.h>

#include <cmath>

#include "events_oracle.h"
#include "phase.h"

namespace throng {

using namespace detail::playback;

namespace {

bool same(const Cursor& a, const Cursor& b) { return a.frame == b.frame && a.next == b.next && a.blend == b.blend; }

// Clips of every number of frames, played in every way, at any time, many of them exactly at an end.
TEST(Tick, FindsTheShadersFramesBitForBit) {
  std::mt19937_64 random(11);
  CharacterDraft draft;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const auto frames = static_cast<std::uint32_t>(i < 4 ? 1 + i : 1 + random() % 65535);
    draft.clips.push_back(make_clip("clip", 0.1 + 0.1 * i, frames, i % 2 == 0));
    draft.clips.back().first_frame = static_cast<std::uint32_t>(random() % 1000);
  }
  const Character model = test::built_from_clips(std::move(draft));
  Crowd crowd(model);
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const double speed = static_cast<double>(random() % 8001) / 1000.0 - 4.0;
    const double offset =
        random() % 8 == 0 ? 100.0 * static_cast<double>(random() % 2) : 0.001 * static_cast<double>(random() % 5000);
    const Play play{
        .clip = ClipId(i % 40), .speed = speed, .offset = offset, .mode = static_cast<PlayMode>(random() % 4)};
    ASSERT_TRUE(crowd.add({.play = play}, random() % ticks(3600.0)));
  }
  std::vector<Cursor> cursors(4000);
  std::vector<Ticks> times{0, 1, ticks(1.0), ticks(1800.0), ticks(3600.0), ticks(1e6), ticks(1e11)};
  for (int i = 0; i < 30; ++i) times.push_back(random() % ticks(10000.0));
  for (const Ticks now : times) {
    ASSERT_EQ(crowd.tick(ModelId(0), now, cursors), 4000u);
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      const TrackRecord& track = crowd.plays(ModelId(0))[i].track;
      const ClipRecord clip = clip_timing(model.clips()[track.clip]).record;
      ASSERT_TRUE(same(cursors[i], gpu::cursor_at(clip, gpu::phase_at(track, split(now))))) << now << " " << i;
      ASSERT_LT(cursors[i].frame - clip.first_frame, clip.frame_count);
      ASSERT_LT(cursors[i].next - clip.first_frame, clip.frame_count);
    }
  }
}

// Added, removed, told to play and carried on: what is ticked is what is uploaded.
TEST(Tick, FollowsEveryChange) {
  Crowd crowd(two_clips());
  std::mt19937 random(2);
  std::vector<InstanceId> ids;
  for (int i = 0; i < 50; ++i) ids.push_back(crowd.add({}, 0).value());
  Ticks now = 0;
  for (int change = 0; change < 300; ++change) {
    now += random() % ticks(0.3);
    const InstanceId id = ids[random() % ids.size()];
    const Play play{.clip = ClipId(static_cast<std::uint32_t>(random() % 3)), .fade = 0.1};
    if (change % 50 == 49) {
      ASSERT_TRUE(crowd.remove(id));
      std::erase(ids, id);
    } else if (change % 3 == 0) {
      ASSERT_TRUE(crowd.play(id, play, now));
    } else {
      ASSERT_TRUE(change % 3 == 1 ? crowd.queue(id, play, now) : crowd.set_speed(id, -2.0, now));
    }
    crowd.advance(now);
    std::vector<Cursor> cursors(ids.size());
    ASSERT_EQ(crowd.tick(ModelId(0), now, cursors), ids.size());
    for (const InstanceId other : ids) {
      ASSERT_TRUE(same(cursors[crowd.find(other)->index], crowd.state(other, now)->track.cursor)) << change;
    }
  }
}

TEST(Tick, WritesAsManyAsFit) {
  Crowd crowd(two_clips());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(crowd.add({}, 0));
  std::vector<Cursor> three(3);
  EXPECT_EQ(crowd.tick(ModelId(0), 5, three), 3u);
  std::vector<Cursor> nine(9);
  EXPECT_EQ(crowd.tick(ModelId(0), 5, nine), 5u);
}

// How often (0, to] holds offset + k · length for whole k, counted without the code under test.
std::int64_t crossings(double to, double offset, double length) {
  return static_cast<std::int64_t>(std::floor((to - offset) / length) - std::floor(-offset / length));
}

// A day in random steps, from a thousandth of a second to minutes: no event is lost or doubled, and the phase is where
// exact arithmetic puts it.
TEST(Tick, LosesNothingAndDoesNotDriftInADayOfRandomSteps) {
  constexpr double kLength = 1.37;
  const std::vector<ClipEvent> events{{0.1, "a"}, {0.7, "b"}, {1.36, "c"}};
  CharacterDraft draft;
  draft.clips = {make_clip("walk", kLength, 41, true, events), make_clip("turn", 0.93, 20, false, {{0.4, "d"}})};
  Crowd crowd(test::built_from_clips(std::move(draft)));
  const InstanceId walker = crowd.add({}, 0).value();
  const InstanceId pacer = crowd.add({.play = {.clip = ClipId(1), .mode = PlayMode::ping_pong}}, 0).value();
  ASSERT_TRUE(crowd.listen(walker));
  ASSERT_TRUE(crowd.listen(pacer));
  std::mt19937 random(3);
  std::vector<std::int64_t> counts(4);
  Clock clock;
  double total = 0.0;
  Ticks last = 0;
  while (total < 86400.0) {
    const double unit = static_cast<double>(random() % 10000 + 1) / 10000.0;
    const double seconds = 0.001 + 120.0 * std::pow(unit, 40.0);
    total += seconds;
    clock.advance(seconds);
    crowd.advance(clock.now(), [&](const FiredEvent& event) {
      ++counts[event.clip == ClipId(0) ? event.event : 3];
      ASSERT_LE(last, event.when) << "in order";
      last = event.when;
    });
  }
  const double played = seconds_from_ticks(clock.now());
  for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(counts[e], crossings(played, events[e].time, kLength));
  EXPECT_EQ(counts[3], crossings(played, 0.4, 1.86) + crossings(played, 1.46, 1.86)) << "there and back";
  const double drift = std::remainder(crowd.state(walker, clock.now())->track.seconds - total, kLength);
  EXPECT_LT(std::abs(drift), 1e-4);
  EXPECT_LT(std::abs(played - total), 1e-4);
}

}  // namespace
}  // namespace throng
