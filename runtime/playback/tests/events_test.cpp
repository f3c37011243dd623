// SPDX-License-Identifier: Apache-2.0
// Events fire once for every time they are crossed, in order, whatever the steps.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "events_oracle.h"
#include "throng/playback/controller.h"

namespace throng {
namespace {

struct OneClip {
  const char* what;
  BakedClip clip;
  Play play;
  double seconds;
  std::vector<std::uint32_t> fired;
};

std::vector<OneClip> tables() {
  const auto loop = [](std::vector<ClipEvent> events) { return make_clip("loop", 1.0, 30, true, std::move(events)); };
  const auto once = [](std::vector<ClipEvent> events) { return make_clip("once", 1.0, 31, false, std::move(events)); };
  const PlayMode ping_pong = PlayMode::ping_pong;
  return {
      {"an event just before the wrap", loop({{0.98, "late"}}), {.offset = 0.95}, 0.5, {0}},
      {"many loops", loop({{0.2, "a"}, {0.8, "b"}}), {}, 3.5, {0, 1, 0, 1, 0, 1, 0}},
      {"many loops, fast", loop({{0.2, "a"}, {0.8, "b"}}), {.speed = 4.0}, 0.6, {0, 1, 0, 1, 0}},
      {"frame 0 of a loop", loop({{0.0, "first"}}), {}, 2.5, {0, 0, 0}},
      {"the end of a loop is its start", loop({{0.0, "first"}, {1.0, "end"}}), {}, 1.5, {0, 1, 0, 1}},
      {"the last frame of a clip that stops", once({{1.0, "end"}}), {}, 5.0, {0}},
      {"the first frame of a clip that stops", once({{0.0, "start"}}), {}, 5.0, {0}},
      {"backwards", loop({{0.2, "a"}, {0.8, "b"}}), {.speed = -1.0, .offset = 0.5}, 1.0, {0, 1}},
      {"backwards over frame 0", loop({{0.0, "a"}, {0.5, "b"}}), {.speed = -1.0, .offset = 0.25}, 2.0, {0, 1, 0, 1}},
      {"backwards to the start", once({{0.0, "start"}, {1.0, "end"}}), {.speed = -2.0, .offset = 0.5}, 2.0, {0}},
      {"backwards from the end", once({{0.0, "start"}, {1.0, "end"}}), {.speed = -1.0, .offset = 1.0}, 2.0, {1, 0}},
      {"there and back", once({{0.25, "a"}, {0.75, "b"}}), {.mode = ping_pong}, 4.0, {0, 1, 1, 0, 0, 1, 1, 0}},
      {"turning points", once({{0.0, "a"}, {1.0, "b"}}), {.mode = ping_pong}, 3.5, {0, 1, 0, 1}},
      {"turning points of a loop", loop({{0.0, "a"}, {1.0, "b"}}), {.mode = ping_pong}, 3.5, {0, 1, 0, 1}},
      {"back and there", once({{0.25, "a"}, {0.75, "b"}}), {.speed = -1.0, .mode = ping_pong}, 2.0, {0, 1, 1, 0}},
      {"a loop that is stopped", loop({{0.0, "a"}, {0.5, "b"}, {1.0, "c"}}), {.mode = PlayMode::clamp}, 3.0, {0, 1, 2}},
      {"a clip that is looped", once({{0.0, "a"}, {1.0, "b"}}), {.mode = PlayMode::loop}, 2.5, {0, 1, 0, 1, 0}},
      {"standing still on an event", loop({{0.5, "a"}}), {.speed = 0.0, .offset = 0.5}, 3.0, {0}},
      {"a pose", make_clip("pose", 0.0, 1, false, {{0.0, "a"}}), {}, 3.0, {0}},
      {"events of one moment in their order", loop({{0.5, "a"}, {0.5, "b"}}), {}, 1.0, {0, 1}},
      {"no events", loop({}), {}, 3.0, {}},
  };
}

TEST(Events, FireOncePerCrossingInOrderInOneStepAndInMany) {
  std::mt19937 random(8);
  for (const OneClip& row : tables()) {
    CharacterDraft draft;
    draft.clips = {row.clip};
    const Character model = test::built_from_clips(std::move(draft));
    const Ticks start = 12345;
    for (const bool at_once : {true, false}) {
      Crowd crowd(model);
      const InstanceId id = crowd.add({.play = row.play}, start).value();
      ASSERT_TRUE(crowd.listen(id));
      const Ticks end = start + ticks(row.seconds) - 1;
      const Fired fired = at_once ? advance_at_once(crowd, start, end)
                                  : advance_by(crowd, start, end, [&] { return random() % 40000; });
      EXPECT_EQ(numbers(fired, ClipId(0)), row.fired) << row.what << (at_once ? ", at once" : ", in steps");
      for (const FiredEvent& event : fired) {
        EXPECT_EQ(event.weight, 1.0f);
        EXPECT_EQ(event.instance, id);
      }
    }
  }
}

TEST(Events, TellTheFirstTickTheyAreReachedAt) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({.play = {.clip = ClipId(2)}}, 1000).value();
  ASSERT_TRUE(crowd.listen(id));
  const Fired fired = advance_at_once(crowd, 1000, 1000 + ticks(1.0));
  ASSERT_EQ(fired.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(seconds_from_ticks(fired[i].when - 1000), 0.3 * static_cast<double>(i), 2e-6);
    const PlayState there = crowd.state(id, fired[i].when).value();
    const PlayState short_of_it = crowd.state(id, fired[i].when - 1).value();
    const double at = i % 2 == 0 ? 0.0 : 0.5;
    EXPECT_LT(there.track.phase - at, 1e-5);
    EXPECT_GE(there.track.phase, at);
    EXPECT_TRUE(i == 0 || short_of_it.track.phase < at || short_of_it.track.phase > 0.99);
  }
}

TEST(Events, OfBothClipsFireWhileTheyFadeWithTheirWeights) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({.play = {.clip = ClipId(0)}}, 0).value();
  ASSERT_TRUE(crowd.listen(id));
  ASSERT_TRUE(crowd.play(id, {.clip = ClipId(2), .fade = 1.0}, 0));
  const Fired fired = advance_at_once(crowd, 0, ticks(1.4));
  // The walk's at 0.25 and 0.75; the run's at 0, 0.3, 0.6, 0.9 and, with the walk gone, 1.2.
  const std::vector<double> times{0.0, 0.25, 0.3, 0.6, 0.75, 0.9, 1.2};
  const std::vector<std::uint32_t> clips{2, 0, 2, 2, 0, 2, 2};
  ASSERT_EQ(fired.size(), times.size());
  for (std::size_t i = 0; i < fired.size(); ++i) {
    EXPECT_EQ(fired[i].clip, ClipId(clips[i])) << i;
    EXPECT_NEAR(seconds_from_ticks(fired[i].when), times[i], 2e-6);
    const double t = std::min(times[i], 1.0);
    const double weight = t * t * (3.0 - 2.0 * t);
    EXPECT_NEAR(static_cast<double>(fired[i].weight), clips[i] == 2 ? weight : 1.0 - weight, 1e-5) << i;
  }
}

TEST(Events, OfDifferentCharactersComeInOrderOfTime) {
  Crowd crowd(two_clips());
  for (int i = 0; i < 20; ++i) {
    const InstanceId id = crowd.add({.play = {.offset = 0.04 * (i * 7 % 20)}}, 0).value();
    ASSERT_TRUE(crowd.listen(id));
  }
  const Fired fired = advance_at_once(crowd, 0, ticks(1.0));
  EXPECT_EQ(fired.size(), 40u);
  EXPECT_TRUE(std::is_sorted(fired.begin(), fired.end(),
                             [](const FiredEvent& a, const FiredEvent& b) { return a.when < b.when; }));
}

TEST(Events, FireOnlyForThoseListenedTo) {
  Crowd crowd(two_clips());
  const InstanceId heard = crowd.add({}, 0).value();
  const InstanceId silent = crowd.add({}, 0).value();
  ASSERT_TRUE(crowd.listen(heard));
  EXPECT_EQ(advance_at_once(crowd, 0, ticks(1.0)).size(), 2u);
  ASSERT_TRUE(crowd.unlisten(heard));
  ASSERT_TRUE(crowd.listen(silent));
  const Fired later = advance_at_once(crowd, ticks(1.0), ticks(2.0));
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(later[0].instance, silent);
  ASSERT_TRUE(crowd.remove(silent));
  EXPECT_TRUE(advance_at_once(crowd, ticks(2.0), ticks(3.0)).empty());
}

TEST(Events, OfWindowsThatTouchAreFoundOnceByAskingToo) {
  Crowd crowd(two_clips());
  const InstanceId walk = crowd.add({.play = {.clip = ClipId(0)}}, 1000).value();
  const InstanceId death = crowd.add({.play = {.clip = ClipId(1)}}, 1000).value();
  std::vector<int> counts(4);
  Ticks from = 0;
  for (Ticks to = 0; to < 1000 + 10 * kTicksPerSecond; to += 777) {
    ASSERT_TRUE(crowd.fire_events(walk, from, to, [&](const FiredEvent& e) { ++counts[e.event]; }));
    ASSERT_TRUE(crowd.fire_events(death, from, to, [&](const FiredEvent& e) { ++counts[2 + e.event]; }));
    from = to;
  }
  EXPECT_EQ(counts, (std::vector<int>{10, 10, 1, 1}));
  int backwards = 0;
  ASSERT_TRUE(crowd.fire_events(walk, from, 0, [&](const FiredEvent&) { ++backwards; }));
  ASSERT_TRUE(crowd.fire_events(walk, from, from, [&](const FiredEvent&) { ++backwards; }));
  EXPECT_EQ(backwards, 0);
}

// Asked about more than the fade: what faded out is silent afterwards.
TEST(Events, OfWhatFadedOutEndWithTheFadeWhenAskedForToo) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({}, 0).value();
  ASSERT_TRUE(crowd.play(id, {.clip = ClipId(2), .fade = 1.5}, 0));
  Fired fired;
  ASSERT_TRUE(crowd.fire_events(id, 0, ticks(8.9), [&](const FiredEvent& event) { fired.push_back(event); }));
  EXPECT_EQ(numbers(fired, ClipId(0)), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(numbers(fired, ClipId(2)).size(), 30u);
}

TEST(Events, AreToldByNameWhicheverModelTheyAreOf) {
  CharacterDraft other = two_clips_draft();
  other.clips[0].events = {{0.5, "hoof"}};
  // The crowd keeps what the names lie in.
  Crowd crowd;
  const ModelId man = crowd.add(two_clips());
  const ModelId horse = crowd.add(test::built_from_clips(std::move(other)));
  for (const ModelId model : {man, horse}) {
    for (const PlayMode mode : {PlayMode::loop, PlayMode::ping_pong}) {
      const InstanceId id = crowd.add({.model = model, .play = {.mode = mode}}, 0).value();
      ASSERT_TRUE(crowd.listen(id));
    }
  }
  std::map<std::string, int> heard;
  crowd.advance(ticks(2.0), [&](const FiredEvent& event) { ++heard[std::string(event.name)]; });
  EXPECT_EQ(heard, (std::map<std::string, int>{{"left", 4}, {"right", 4}, {"hoof", 4}}));

  std::vector<std::string> alone;
  Controller controller(two_clips());
  controller.advance(1.0, [&](const FiredEvent& event) { alone.emplace_back(event.name); });
  EXPECT_EQ(alone, (std::vector<std::string>{"left", "right"}));
}

TEST(Events, MayChangeTheCrowdTheyAreToldBy) {
  Crowd crowd(two_clips());
  const InstanceId id = crowd.add({}, 0).value();
  ASSERT_TRUE(crowd.listen(id));
  int told = 0;
  crowd.advance(ticks(1.0), [&](const FiredEvent& event) {
    ++told;
    EXPECT_EQ(crowd.remove(event.instance).has_value(), told == 1);
  });
  EXPECT_EQ(told, 2) << "what had happened is told";
  EXPECT_EQ(crowd.size(), 0u);
}

}  // namespace
}  // namespace throng
