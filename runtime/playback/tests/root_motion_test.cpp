// SPDX-License-Identifier: Apache-2.0
// Characters that their clips move: the same way whatever the steps, and feet that stay where they are put.
#include <gtest/gtest.h>

#include <cmath>

#include "events_oracle.h"
#include "mannequin_model.h"
#include "throng/bake/bake.h"
#include "throng/playback/controller.h"

namespace throng {
namespace {

// A walk of 1 m ahead (+Z) and a stride of 2 m to the side that turns by a sixth, each in a second; and one that stops
// after 3 m.
Character walkers() {
  CharacterDraft model = two_clips_draft();
  model.clips[2].length = 1.0;
  model.clips[2].frame_count = 30;
  for (int i = 0; i <= 30; ++i) {
    const double t = i / 30.0;
    model.clips[0].root_motion.push_back({{0.0, 0.0, t}, 0.0});
    model.clips[2].root_motion.push_back({{2.0 * t, 0.0, 0.3 * std::sin(6.0 * t)}, 1.0471975511965976 * t});
  }
  for (int i = 0; i <= 60; ++i) model.clips[1].root_motion.push_back({{0.0, 0.0, 3.0 * i / 60.0}, 0.0});
  return test::built_from_clips(std::move(model));
}

struct Walker {
  Crowd crowd{walkers()};
  InstanceId id;

  explicit Walker(const Play& play, const Placement& placement = {})
      : id(crowd.add({.placement = placement, .play = play, .root_motion = true}, 0).value()) {}

  glm::dvec3 at(double seconds) {
    crowd.advance(ticks(seconds));
    return glm::dvec3(crowd.placement(id)->position);
  }
};

struct Way {
  const char* what;
  Play play;
  double seconds;
  glm::dvec3 end;
};

TEST(RootMotion, LeadsWhereTheClipLeads) {
  const std::vector<Way> rows{
      {"part of a turn", {.clip = ClipId(0)}, 0.25, {0.0, 0.0, 0.25}},
      {"many turns in one step", {.clip = ClipId(0)}, 1234.5, {0.0, 0.0, 1234.5}},
      {"at another speed", {.clip = ClipId(0), .speed = 3.0}, 10.0, {0.0, 0.0, 30.0}},
      {"backwards", {.clip = ClipId(0), .speed = -2.0}, 10.25, {0.0, 0.0, -20.5}},
      {"standing still", {.clip = ClipId(0), .speed = 0.0}, 10.0, {0.0, 0.0, 0.0}},
      {"from the middle", {.clip = ClipId(0), .offset = 0.5}, 0.75, {0.0, 0.0, 0.75}},
      {"to an end", {.clip = ClipId(1)}, 50.0, {0.0, 0.0, 3.0}},
      {"there and back", {.clip = ClipId(1), .mode = PlayMode::ping_pong}, 4.0 * 1000.0, {0.0, 0.0, 0.0}},
      {"there and half-way back", {.clip = ClipId(1), .mode = PlayMode::ping_pong}, 3.0, {0.0, 0.0, 1.5}},
      {"a clip that is looped", {.clip = ClipId(1), .mode = PlayMode::loop}, 10.0, {0.0, 0.0, 15.0}},
      {"once round in six strides", {.clip = ClipId(2)}, 6.0, {0.0, 0.0, 0.0}},
      {"round and round", {.clip = ClipId(2)}, 600.0, {0.0, 0.0, 0.0}},
  };
  for (const Way& row : rows) {
    Walker walker(row.play);
    EXPECT_LT(glm::distance(walker.at(row.seconds), row.end), 2e-3) << row.what;
  }
}

TEST(RootMotion, GoesWhereTheCharacterFacesByItsSize) {
  Walker walker({.clip = ClipId(0)},
                {{5.0f, 1.0f, 0.0f}, glm::angleAxis(1.5707963f, glm::vec3(0.0f, 1.0f, 0.0f)), 2.0f});
  EXPECT_LT(glm::distance(walker.at(3.0), {11.0, 1.0, 0.0}), 1e-4);
  ASSERT_TRUE(walker.crowd.place(walker.id, {}));
  EXPECT_LT(glm::distance(walker.at(4.0), {0.0, 0.0, 1.0}), 1e-4) << "on from where it was put";
  ASSERT_TRUE(walker.crowd.move_by_clips(walker.id, false, ticks(4.0)));
  EXPECT_LT(glm::distance(walker.at(9.0), {0.0, 0.0, 1.0}), 1e-4);
  ASSERT_TRUE(walker.crowd.move_by_clips(walker.id, true, ticks(9.0)));
  EXPECT_LT(glm::distance(walker.at(10.0), {0.0, 0.0, 2.0}), 1e-4);
}

// Round and round with fades, queues and turns: any steps end in the same place.
TEST(RootMotion, IsTheSameWhateverTheSteps) {
  std::mt19937 random(6);
  for (int run = 0; run < 20; ++run) {
    Walker once({.clip = ClipId(2)});
    ASSERT_TRUE(once.crowd.play(once.id, {.clip = ClipId(0), .speed = 1.7, .fade = 0.8}, ticks(0.4)));
    ASSERT_TRUE(once.crowd.queue(once.id, {.clip = ClipId(2), .speed = -1.0, .fade = 0.3}, ticks(0.5)));
    ASSERT_TRUE(once.crowd.queue(once.id, {.clip = ClipId(1)}, ticks(0.5)));
    ASSERT_TRUE(once.crowd.queue(once.id, {.clip = ClipId(2), .fade = 0.5, .in_step = true}, ticks(0.5)));
    Walker steps = once;
    const glm::dvec3 end = once.at(10.0);
    advance_by(steps.crowd, ticks(0.5), ticks(10.0), [&] { return 1 + random() % 200000; });
    EXPECT_LT(glm::distance(end, steps.at(10.0)), 2e-5) << run;
    EXPECT_GT(glm::length(end), 1.0);
  }
}

TEST(RootMotion, OfAFadeIsTheSumOfBothByWeight) {
  Walker walker({.clip = ClipId(0)});
  ASSERT_TRUE(walker.crowd.play(walker.id, {.clip = ClipId(0), .speed = 3.0, .fade = 1.0}, 0));
  // Half of the weight on the whole: the mean of 1 and 3 metres.
  EXPECT_NEAR(walker.at(1.0).z, 2.0, 1e-3);
  EXPECT_NEAR(walker.at(2.0).z, 5.0, 1e-3);
}

TEST(RootMotion, OfAControllerIsTheCrowds) {
  Controller one(walkers());
  Walker walker({.clip = ClipId(0)});
  GroundMotion way;
  glm::dvec3 position(0.0);
  double yaw = 0.0;
  for (int step = 0; step < 40; ++step) {
    if (step == 7) {
      ASSERT_TRUE(one.play("run", {.fade = 0.5}));
      ASSERT_TRUE(walker.crowd.play(walker.id, "run", {.fade = 0.5}, one.now()));
    }
    way = one.advance(0.17);
    position += glm::angleAxis(yaw, glm::dvec3(0.0, 1.0, 0.0)) * way.translation;
    yaw += way.yaw;
    walker.crowd.advance(one.now());
    ASSERT_LT(glm::distance(position, glm::dvec3(walker.crowd.placement(walker.id)->position)), 1e-5) << step;
  }
}

Character baked_walk(RootTreatment root_motion) {
  BakeSettings settings;
  settings.root_motion = root_motion;
  settings.root_bone = "root";
  settings.sockets = "foot\\.L";
  settings.levels = 1;
  ThreadExecutor executor(2);
  return bake(test::walking_mannequin(), settings, executor).value();
}

// How far the left ankle slides over the ground while the foot is flat on it (from when the sole is down to when the
// heel lifts: the ankle is as low as it gets), at the most, over some strides in random steps; and the share of that
// time.
struct Sliding {
  double farthest = 0.0;
  double down = 0.0;

  Sliding(const Character& model, bool root_motion) {
    const std::vector<glm::dvec3> places = walk(model, root_motion);
    double lowest = INFINITY;
    for (const glm::dvec3& place : places) lowest = std::min(lowest, place.y);
    glm::dvec3 planted(0.0);
    bool is_down = false;
    for (const glm::dvec3& place : places) {
      const bool was_down = is_down;
      is_down = place.y < lowest + 0.002;
      if (is_down && !was_down) planted = place;
      if (!is_down) continue;
      farthest = std::max(farthest, glm::length(glm::dvec2(place.x - planted.x, place.z - planted.z)));
      down += 1.0 / static_cast<double>(places.size());
    }
  }

  static std::vector<glm::dvec3> walk(const Character& model, bool root_motion) {
    Crowd crowd(model);
    Spawn spawn;
    spawn.placement = {{4.0f, 0.0f, -7.0f}, glm::angleAxis(0.7f, glm::vec3(0.0f, 1.0f, 0.0f)), 1.0f};
    spawn.root_motion = root_motion;
    const InstanceId id = crowd.add(spawn, 0).value();
    const auto is_foot = [](const BakedSocket& socket) { return socket.name == "foot.L"; };
    const auto foot = std::find_if(model.sockets().begin(), model.sockets().end(), is_foot) - model.sockets().begin();
    std::vector<glm::dvec3> places;
    std::mt19937 random(9);
    for (Ticks now = 0; now < ticks(6.0); now += 1000 + random() % 15000) {
      crowd.advance(now);
      places.push_back(crowd.socket(id, SocketId(static_cast<std::uint32_t>(foot)), now).value().position);
    }
    return places;
  }
};

TEST(RootMotion, KeepsAPlantedFootWhereItIs) {
  const Character model = baked_walk(RootTreatment::extract);
  ASSERT_FALSE(model.clips()[0].root_motion.empty());
  const Sliding moved(model, true);
  EXPECT_LT(moved.farthest, 0.01) << "a centimetre";
  EXPECT_GT(moved.down, 0.2);
  const Sliding in_place(model, false);
  EXPECT_GT(in_place.farthest, 0.25) << "without it the foot slides, so the check can fail";
}

}  // namespace
}  // namespace throng
