// SPDX-License-Identifier: Apache-2.0
// Who is near, and that nobody sees it happen.
#include "throng/cast/cast.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "built_character.h"
#include "stage.h"

namespace throng {
namespace {

using test::far_of;
using test::kStep;
using test::Stage;

TEST(Cast, BringsNearWhoIsCloseAndKeepsItWithinTheSlack) {
  Stage stage({.distance = 10.0f, .hysteresis = 0.2f, .blend = 0.0f});
  const ActorId id = stage.add({.position = glm::vec3(0.0f)});
  const auto near_at = [&](float distance) {
    stage.step({.eye = {distance, 0.0f, 0.0f}});
    stage.step({.eye = {distance, 0.0f, 0.0f}});  // who leaves is gone when its blend is over: here, an update later
    return stage.cast.is_near(id).value();
  };
  EXPECT_FALSE(near_at(10.5f));
  EXPECT_TRUE(near_at(9.9f));
  EXPECT_TRUE(near_at(11.9f));
  EXPECT_FALSE(near_at(12.1f));
  EXPECT_FALSE(near_at(11.9f));
}

TEST(Cast, BringsNearWhoLooksTall) {
  Stage stage({.distance = 0.0f, .height = 0.25f, .hysteresis = 0.0f, .blend = 0.0f});
  const ActorId small = stage.add({.position = glm::vec3(0.0f)});
  const ActorId tall = stage.add({.position = glm::vec3(0.0f), .scale = 3.0f});
  // A person is as tall as a quarter of the picture where the picture shows four of its heights.
  const float height = static_cast<float>(test::mannequin().baked.bounds().size().y);
  const float limit = 4.0f * height / (2.0f * std::tan(glm::radians(20.0f)));
  stage.step({.eye = {0.0f, 0.0f, 1.01f * limit}, .vertical_fov_degrees = 40.0f});
  EXPECT_FALSE(stage.cast.is_near(small).value());
  EXPECT_TRUE(stage.cast.is_near(tall).value());
  stage.step({.eye = {0.0f, 0.0f, 0.99f * limit}, .vertical_fov_degrees = 40.0f});
  EXPECT_TRUE(stage.cast.is_near(small).value());
}

TEST(Cast, GivesTheBudgetToThoseWhoLookTallestAndAreKept) {
  Stage stage({.distance = 100.0f, .budget = 3, .hysteresis = 0.0f, .blend = 0.0f});
  std::vector<ActorId> ids;
  for (int i = 0; i < 8; ++i)
    ids.push_back(stage.add({.position = glm::vec3(2.0f * static_cast<float>(i), 0.0f, 0.0f)}));
  ASSERT_TRUE(stage.cast.keep(ids[7], Nearness::near));
  ASSERT_TRUE(stage.cast.keep(ids[0], Nearness::far));
  stage.step({.eye = {-1.0f, 0.0f, 0.0f}});
  std::vector<bool> near;
  for (const ActorId id : ids) near.push_back(stage.cast.is_near(id).value());
  EXPECT_EQ(near, (std::vector<bool>{false, true, true, false, false, false, false, true}));
  EXPECT_EQ(stage.cast.near_actors().size(), 3u);
}

TEST(Cast, KeepsWhoIsCloseWithARuleOrAViewThatIsNoNumber) {
  const float nan = std::nanf("");
  Stage stage({.distance = 100.0f, .budget = 2, .hysteresis = nan, .blend = 0.0f});
  const ActorId close = stage.add({.position = {1.0f, 0.0f, 0.0f}});
  const ActorId middle = stage.add({.position = {2.0f, 0.0f, 0.0f}});
  const ActorId away = stage.add({.position = {3.0f, 0.0f, 0.0f}});
  for (int i = 0; i < 4; ++i) {
    stage.step({.eye = glm::vec3(0.0f), .vertical_fov_degrees = nan});
    EXPECT_TRUE(stage.cast.is_near(close).value()) << i;
    EXPECT_TRUE(stage.cast.is_near(middle).value()) << i;
    EXPECT_FALSE(stage.cast.is_near(away).value()) << i;
  }
  stage.step({.eye = glm::vec3(nan)});
  stage.step({.eye = glm::vec3(nan)});
  EXPECT_TRUE(stage.cast.near_actors().empty()) << "nobody is near to nowhere";
}

TEST(Cast, GoesOnWhoeverIsRemovedAndWhateverTheRuleBecomes) {
  Stage stage({.distance = 100.0f, .budget = 4, .blend = 0.2f});
  std::vector<ActorId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(stage.add({.position = {static_cast<float>(i + 1), 0.0f, 0.0f}}));
  for (int i = 0; i < 5; ++i) stage.step({});
  ASSERT_EQ(stage.cast.near_actors().size(), 4u);
  ASSERT_TRUE(stage.cast.remove(ids[0])) << "half way in";
  EXPECT_EQ(stage.cast.near_actors().size(), 3u);
  for (int i = 0; i < 30; ++i) stage.step({});
  EXPECT_TRUE(stage.cast.is_near(ids[4]).value()) << "who is next";
  ASSERT_TRUE(stage.cast.play(ids[1], {.clip = ClipId(0)}, stage.now));
  stage.cast.set_rule({.distance = 100.0f, .budget = 0, .blend = 0.2f});
  for (int i = 0; i < 5; ++i) stage.step({});
  ASSERT_TRUE(stage.cast.remove(ids[1])) << "half way out";
  for (int i = 0; i < 30; ++i) stage.step({});
  EXPECT_TRUE(stage.cast.near_actors().empty());
  for (const InstanceRecord& record : stage.cast.crowd().instances(ModelId(0))) EXPECT_GT(record.scale, 0.0f);
  const ActorId again = stage.add({});
  EXPECT_NE(again, ids[1]) << "another one, in the same place";
  EXPECT_FALSE(stage.cast.remove(ids[1]));
}

TEST(Cast, DoesNotSwapTwoWhoLookNearlyAlike) {
  Stage stage({.distance = 100.0f, .budget = 1, .hysteresis = 0.15f, .blend = 0.0f});
  const ActorId left = stage.add({.position = {-1.0f, 0.0f, 0.0f}});
  const ActorId right = stage.add({.position = {1.0f, 0.0f, 0.0f}});
  stage.step({.eye = {-0.1f, 0.0f, 10.0f}});
  ASSERT_TRUE(stage.cast.is_near(left).value());
  // Several updates on either side: who leaves is gone an update later and could come back until then.
  for (int i = 0; i < 20; ++i) {
    stage.step({.eye = {i / 4 % 2 == 0 ? 0.4f : -0.4f, 0.0f, 10.0f}});
    ASSERT_TRUE(stage.cast.is_near(left).value()) << i;
  }
  for (int i = 0; i < 3; ++i) stage.step({.eye = {4.0f, 0.0f, 3.0f}});
  EXPECT_TRUE(stage.cast.is_near(right).value());
  EXPECT_FALSE(stage.cast.is_near(left).value());
}

TEST(Cast, HidesInTheCrowdWhoIsNearAndShowsWhoIsNot) {
  Stage stage({.distance = 10.0f, .hysteresis = 0.0f, .blend = 0.1f});
  const ActorId id = stage.add({});
  const auto hidden = [&] { return stage.cast.crowd().instances(ModelId(0))[0].scale < 0.0f; };
  for (const float distance : {5.0f, 5.0f, 20.0f, 20.0f, 20.0f, 20.0f, 20.0f, 20.0f, 20.0f, 20.0f, 5.0f}) {
    stage.step({.eye = {distance, 0.0f, 0.0f}});
    EXPECT_EQ(hidden(), stage.cast.is_near(id).value());
    EXPECT_EQ(hidden(), stage.cast.near_actors().size() == 1);
  }
}

TEST(Cast, WearsNearWhatItWearsFar) {
  Stage stage({.distance = 10.0f, .hysteresis = 0.0f, .blend = 0.0f});
  const ActorId id = stage.add({});
  PartMask bare;
  bare.take_off(PartId(0));
  ASSERT_TRUE(stage.cast.wear(id, bare));
  ASSERT_TRUE(stage.cast.paint(id, {.variation = 3}));
  EXPECT_EQ(stage.cast.worn(id).value(), bare) << "paint changes no clothes";
  stage.step({.eye = {5.0f, 0.0f, 0.0f}});
  ASSERT_EQ(stage.cast.near_actors().size(), 1u);
  EXPECT_EQ(stage.cast.near_actors()[0].look.parts, bare);
  EXPECT_EQ(stage.cast.near_actors()[0].look.variation, 3u);
  ASSERT_TRUE(stage.cast.dress(id, 1));
  EXPECT_EQ(stage.cast.worn(id).value(), dressed_parts(stage.cast.crowd().character(ModelId()).part_groups(), 1));
  stage.step({.eye = {5.0f, 0.0f, 0.0f}});
  EXPECT_EQ(stage.cast.near_actors()[0].look.parts, stage.cast.worn(id).value());
}

TEST(Cast, BeginsNearInThePhaseOfTheClip) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  const ActorId id = stage.add({}, "walk", 0.4);
  stage.step(far_of(100.0f));
  for (int i = 0; i < 20; ++i) stage.step(far_of(100.0f));
  const double far_seconds = stage.far_state(id).track.seconds;
  stage.now -= ticks_from_seconds(kStep);
  stage.step(far_of(5.0f));
  const auto clip = stage.cast.animator(id).value()->dominant_clip();
  ASSERT_TRUE(clip);
  EXPECT_EQ(test::mannequin().graph->rig()->clips()[clip->clip.value].name, "walk");
  EXPECT_NEAR(clip->seconds, far_seconds, 1e-5);
}

// The largest way any vertex goes from one image to the next, image by image, while the camera comes and goes.
struct Jumps {
  double at_switches = 0.0;
  double elsewhere = 0.0;
  int switches = 0;
};

Jumps jumps_of(Stage& stage, ActorId id, int images, const std::function<float(int)>& distance) {
  Jumps jumps;
  std::vector<glm::dvec3> last;
  bool was_near = false;
  for (int i = 0; i < images; ++i) {
    stage.step(far_of(distance(i)));
    const bool is_near = stage.cast.is_near(id).value();
    const std::vector<glm::dvec3> vertices = stage.vertices(id);
    double most = 0.0;
    for (std::size_t v = 0; v < last.size(); ++v) most = std::max(most, glm::distance(last[v], vertices[v]));
    const bool switched = i > 0 && is_near != was_near;
    (switched ? jumps.at_switches : jumps.elsewhere) = std::max(switched ? jumps.at_switches : jumps.elsewhere, most);
    jumps.switches += switched ? 1 : 0;
    was_near = is_near;
    last = vertices;
  }
  return jumps;
}

float come_and_go(int image) { return image / 40 % 2 == 0 ? 30.0f : 5.0f; }

TEST(Cast, MovesNoVertexFurtherAtTheSwitchThanBetweenImages) {
  Stage stage({.distance = 10.0f, .blend = 0.2f});
  const ActorId id = stage.add({.position = {0.3f, 0.0f, -0.2f}, .scale = 1.2f}, "walk");
  const Jumps jumps = jumps_of(stage, id, 330, come_and_go);
  EXPECT_GE(jumps.switches, 7);
  EXPECT_LE(jumps.at_switches, 1.05 * jumps.elsewhere);
  EXPECT_LT(jumps.elsewhere, 0.12) << "a walk moves no vertex by so much in a sixtieth of a second";
}

TEST(Cast, LeadsWhoDoesSomethingElseBackToItsClipWithoutAJump) {
  // Near, it goes over to a mix of walking and running, and attacks with its upper body: nothing the texture has.
  Stage stage({.distance = 10.0f, .blend = 0.3f});
  const ActorId id = stage.add({}, "walk");
  stage.cast.on_near([](ActorId, Animator& animator) {
    EXPECT_TRUE(animator.set_float("speed", 0.5f));
    EXPECT_TRUE(animator.set_layer_weight(1, 1.0f));
  });
  const Jumps jumps = jumps_of(stage, id, 330, come_and_go);
  EXPECT_GE(jumps.switches, 7);
  EXPECT_LE(jumps.at_switches, jumps.elsewhere);
  EXPECT_LT(jumps.elsewhere, 0.35);
}

TEST(Cast, WithoutABlendTheJumpIsSeen) {
  // What the two tests above would find if the blend did nothing.
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  const ActorId id = stage.add({}, "walk");
  stage.cast.on_near([](ActorId, Animator& animator) {
    EXPECT_TRUE(animator.set_layer_weight(1, 1.0f));
    EXPECT_TRUE(animator.jump_to(animator.graph().find_state("attack", 1).value(), 0.5, 1));
  });
  const Jumps jumps = jumps_of(stage, id, 330, come_and_go);
  EXPECT_GT(jumps.at_switches, 2.0 * jumps.elsewhere);
}

TEST(Cast, WalksOnOverTheGroundAcrossTheSwitch) {
  Stage stage({.distance = 10.0f, .blend = 0.2f}, test::walker());
  Spawn spawn;
  spawn.placement.scale = 1.1f;
  spawn.root_motion = true;
  const ActorId id = stage.spawn(spawn);
  const Jumps jumps = jumps_of(stage, id, 330, come_and_go);
  EXPECT_GE(jumps.switches, 7);
  EXPECT_LE(jumps.at_switches, 1.05 * jumps.elsewhere);
  EXPECT_LT(jumps.elsewhere, 0.15);
  // From the first update on.
  EXPECT_NEAR(stage.cast.placement(id)->position.z, 1.25 * 1.1 * 329.0 / 60.0, 0.03);
}

// Whatever the bake did with the root motion, and whether or not clips are to move them.
TEST(Cast, HasWhoIsNearWhereItWouldBeFar) {
  constexpr double kFarther = 0.01;  // metres: the bake's error, and a step's rounding
  for (const auto treatment : {RootTreatment::keep, RootTreatment::extract, RootTreatment::strip}) {
    for (const bool moved : {false, true}) {
      SCOPED_TRACE(testing::Message() << "treatment " << static_cast<int>(treatment) << ", moved " << moved);
      Stage stage({.distance = 10.0f, .blend = 0.0f}, test::walker(treatment));
      Spawn spawn;
      spawn.root_motion = moved;
      const ActorId near = stage.spawn(spawn), far = stage.spawn(spawn);
      ASSERT_TRUE(stage.cast.keep(near, Nearness::near));
      ASSERT_TRUE(stage.cast.keep(far, Nearness::far));
      const BakedClip& clip = stage.who.baked.clips()[0];
      double worst = 0.0;
      for (int i = 0; i < 100; ++i) {
        stage.step({});
        ASSERT_TRUE(stage.cast.is_near(near).value());
        // Where a way that stays in the poses leads back to its start, far characters jump, and near ones go on.
        if (treatment == RootTreatment::keep && stage.far_state(far).track.seconds > clip.length - 0.1) continue;
        const auto close = stage.vertices(near), away = stage.vertices(far);
        for (std::size_t v = 0; v < close.size(); ++v) worst = std::max(worst, glm::distance(close[v], away[v]));
      }
      EXPECT_LT(worst, kFarther);
      const bool goes = glm::length(stage.cast.placement(near)->position) > 1.0f;
      EXPECT_EQ(goes, treatment == RootTreatment::extract && moved);
    }
  }
}

TEST(Cast, KeepsSocketsGoingAcrossTheSwitch) {
  Stage stage({.distance = 10.0f, .blend = 0.2f});
  const ActorId id = stage.add({.position = {1.0f, 0.0f, 2.0f}, .scale = 0.8f}, "walk");
  glm::dvec3 last(0.0);
  double most = 0.0;
  double at_switches = 0.0;
  bool was_near = false;
  for (int i = 0; i < 330; ++i) {
    stage.step(far_of(come_and_go(i)));
    const glm::dvec3 hand = stage.cast.socket(id, SocketId(0), stage.now).value().position;
    const bool is_near = stage.cast.is_near(id).value();
    double& which = is_near != was_near ? at_switches : most;
    if (i > 0) which = std::max(which, glm::distance(hand, last));
    was_near = is_near;
    last = hand;
  }
  EXPECT_LE(at_switches, 1.05 * most);
  EXPECT_GT(at_switches, 0.0);
}

TEST(Cast, TellsEveryFootstepOnceAcrossTheSwitch) {
  std::map<std::string, int> with_switches;
  std::map<std::string, int> always_far;
  for (const bool switches : {true, false}) {
    Stage stage({.distance = 10.0f, .blend = 0.2f});
    const ActorId id = stage.add({}, "walk", 0.013);
    ASSERT_TRUE(stage.cast.listen(id));
    for (int i = 0; i < 800; ++i) stage.step(far_of(switches ? come_and_go(i) : 30.0f));
    for (const std::string& name : stage.heard) ++(switches ? with_switches : always_far)[name];
  }
  EXPECT_EQ(with_switches, always_far);
  EXPECT_GE(always_far.size(), 2u);
}

TEST(Cast, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::vector<glm::dvec3>> results;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Stage stage({.distance = 9.0f, .budget = 6, .blend = 0.1f});
    ThreadExecutor executor(threads);
    std::vector<ActorId> ids;
    for (int i = 0; i < 12; ++i)
      ids.push_back(stage.add({.position = {static_cast<float>(i), 0.0f, 0.0f}}, i % 2 == 0 ? "walk" : "run", 0.1 * i));
    std::vector<glm::dvec3> all;
    for (int i = 0; i < 40; ++i) {
      stage.step({.eye = {static_cast<float>(i) * 0.3f, 0.0f, 2.0f}}, executor);
      for (const NearActor& actor : stage.cast.near_actors())
        all.emplace_back(position_of(actor.animator->models()[stage.hand()]));
    }
    results.push_back(all);
  }
  EXPECT_FALSE(results[0].empty());
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// Runs on a pool, and counts the threads that ever did any of it.
class CountedThreads final : public Executor {
 public:
  explicit CountedThreads(unsigned threads) : pool_(threads) {}
  void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
    ++runs;
    pool_.run(count, [&](std::size_t i) {
      thread_local const CountedThreads* known = nullptr;
      if (std::exchange(known, this) != this) ++started;
      body(i);
    });
  }

  std::atomic<int> runs{0};
  std::atomic<int> started{0};

 private:
  ThreadExecutor pool_;
};

TEST(CastThreads, LiveFromUpdateToUpdate) {
  Stage stage({.distance = 10.0f, .budget = 16, .blend = 0.0f});
  for (int i = 0; i < 16; ++i) stage.add({.position = {0.1f * static_cast<float>(i), 0.0f, 0.0f}});
  CountedThreads threads(3);
  for (int i = 0; i < 20; ++i) stage.step({}, threads);
  EXPECT_EQ(stage.cast.near_actors().size(), 16u);
  EXPECT_GE(threads.runs, 40) << "advanced and posed in every update";
  EXPECT_GE(threads.started, 1);
  EXPECT_LE(threads.started, 3);
}

TEST(Cast, ForgetsWhoIsRemovedWhetherNearOrFar) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  const ActorId near = stage.add({});
  const ActorId other = stage.add({.position = {1.0f, 0.0f, 0.0f}});
  const ActorId far = stage.add({.position = {100.0f, 0.0f, 0.0f}});
  stage.step({});
  ASSERT_EQ(stage.cast.near_actors().size(), 2u);
  ASSERT_TRUE(stage.cast.remove(near));
  ASSERT_TRUE(stage.cast.remove(far));
  EXPECT_EQ(stage.cast.near_actors().size(), 1u);
  EXPECT_EQ(stage.cast.near_actors()[0].id, other);
  EXPECT_EQ(stage.cast.size(), 1u);
  EXPECT_EQ(stage.cast.place(near, {}).error().message, "actor 0 was removed");
  EXPECT_FALSE(stage.cast.remove(far));
  EXPECT_FALSE(stage.cast.is_near(ActorId{77, 0}));
  const ActorId again = stage.add({});
  EXPECT_NE(again, near);
  stage.step({});
  EXPECT_TRUE(stage.cast.is_near(again).value());
  EXPECT_FALSE(stage.cast.is_near(near));
}

struct CountingListener final : AnimatorListener {
  void on_update(Animator&, std::uint32_t, const LayerState&) override {
    EXPECT_EQ(std::this_thread::get_id(), thread);
    ++updates;
  }
  std::thread::id thread = std::this_thread::get_id();
  int updates = 0;
};

TEST(Cast, TellsListenersOnTheCallersThread) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  for (int i = 0; i < 8; ++i) stage.add({.position = {0.1f * static_cast<float>(i), 0.0f, 0.0f}});
  CountingListener listener;
  stage.cast.on_near([&](ActorId, Animator& animator) { animator.listener = &listener; });
  ThreadExecutor executor(4);
  stage.step({}, executor);
  listener.updates = 0;  // of being brought near
  for (int i = 0; i < 5; ++i) stage.step({}, executor);
  EXPECT_EQ(listener.updates, 8 * 5 * 2);  // two layers
}

struct ThrowingExecutor final : Executor {
  void run(std::size_t, const std::function<void(std::size_t)>&) override { throw std::runtime_error("no threads"); }
};

TEST(Cast, KeepsItsListenersWhenAnExecutorThrows) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  const ActorId id = stage.add({});
  CountingListener listener;
  stage.cast.on_near([&](ActorId, Animator& animator) { animator.listener = &listener; });
  stage.step({});
  ASSERT_EQ(stage.cast.animator(id).value()->listener, &listener);
  ThrowingExecutor throwing;
  EXPECT_THROW(stage.cast.update(stage.now + 1, {}, throwing), std::runtime_error);
  EXPECT_EQ(stage.cast.animator(id).value()->listener, &listener);
}

TEST(Cast, MayBeChangedByWhoIsToldOfAChange) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  std::vector<ActorId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(stage.add({.position = {0.1f * static_cast<float>(i), 0.0f, 0.0f}}));
  stage.cast.on_near([&](ActorId id, Animator&) {
    for (int i = 0; i < 20; ++i) stage.add({.position = {500.0f, 0.0f, 0.0f}});
    if (id == ids[2]) static_cast<void>(stage.cast.remove(id));
    if (id == ids[3]) static_cast<void>(stage.cast.remove(ids[0]));
  });
  stage.cast.on_far([&](ActorId id, Animator&) { static_cast<void>(stage.cast.remove(id)); });
  stage.step({});
  EXPECT_EQ(stage.cast.near_actors().size(), 4u);
  EXPECT_FALSE(stage.cast.is_near(ids[2]));
  for (int i = 0; i < 3; ++i) stage.step({.eye = {0.0f, 0.0f, 100.0f}});
  EXPECT_TRUE(stage.cast.near_actors().empty());
  for (const ActorId id : ids) EXPECT_FALSE(stage.cast.is_near(id));
}

TEST(Cast, StandsStillWhenTimeRunsBackwards) {
  Stage stage({.distance = 10.0f, .blend = 0.0f});
  const ActorId id = stage.add({}, "walk");
  for (int i = 0; i < 10; ++i) stage.step({});
  const double before = stage.cast.animator(id).value()->dominant_clip()->seconds;
  stage.now -= ticks_from_seconds(5 * kStep);
  for (int i = 0; i < 3; ++i) stage.step({});
  EXPECT_EQ(stage.cast.animator(id).value()->dominant_clip()->seconds, before);
}

TEST(Cast, KnowsACharacterItHasUnlessItComesWithAnotherGraph) {
  const test::Mannequin& walker = test::walker();
  const test::Mannequin& fighter = test::mannequin();
  Cast cast;
  const ModelId walks = cast.add(walker.baked, walker.graph).value();
  const ModelId fights = cast.add(fighter.baked, fighter.graph).value();
  EXPECT_EQ(cast.add(walker.baked, walker.graph).value(), walks);
  EXPECT_EQ(cast.crowd().find(walker.baked), walks) << "the crowd's ids are the cast's";
  EXPECT_EQ(cast.crowd().find(fighter.baked), fights);
  EXPECT_TRUE(cast.character(walks).same_as(walker.baked));
  EXPECT_TRUE(cast.character(fights).same_as(fighter.baked));
  const auto refused = cast.add(fighter.baked, walker.graph);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("was added with another graph"), std::string::npos);
  EXPECT_EQ(cast.crowd().model_count(), 2u);
}

TEST(Cast, PlaysTheGraphOfItsModelThoughAnotherWasAddedAgain) {
  const test::Mannequin& walker = test::walker();
  const test::Mannequin& fighter = test::mannequin();
  Cast cast({.distance = 100.0f, .blend = 0.0f});
  const ModelId walks = cast.add(walker.baked, walker.graph).value();
  ASSERT_EQ(cast.add(walker.baked, walker.graph).value(), walks);
  const ModelId fights = cast.add(fighter.baked, fighter.graph).value();
  const ActorId id = cast.add({.model = fights}, 0).value();
  cast.update(ticks_from_seconds(kStep), {});
  const Animator* near = cast.animator(id).value();
  ASSERT_NE(near, nullptr);
  EXPECT_EQ(near->graph().rig().get(), fighter.graph->rig().get());
}

TEST(Cast, FindsModelsClipsSocketsAndPartsByNameWhateverTheOrder) {
  const test::Mannequin& walker = test::walker();
  const test::Mannequin& fighter = test::mannequin();
  for (const bool walker_first : {true, false}) {
    CharacterDraft draft = walker.baked.draft();
    draft.name = "walker";
    const Character walking = test::built(std::move(draft));
    Cast cast;
    if (walker_first) {
      ASSERT_TRUE(cast.add(walking, walker.graph));
    }
    const ModelId fights = cast.add(fighter.baked, fighter.graph).value();
    const ModelId walks = cast.add(walking, walker.graph).value();
    EXPECT_EQ(cast.find_model("walker").value(), walks);
    EXPECT_EQ(cast.find_model("mannequin").value(), fights);
    EXPECT_EQ(cast.find_model("manequin").error().message,
              "model 'manequin' does not exist; did you mean 'mannequin'?");
    const ClipId run = cast.find_clip(fights, "run").value();
    EXPECT_EQ(fighter.baked.clips()[run.value].name, "run");
    EXPECT_FALSE(cast.find_clip(walks, "run")) << "each has its own";
    const SocketId socket = cast.find_socket(fights, fighter.baked.sockets()[1].name).value();
    EXPECT_EQ(socket, SocketId(1));
    EXPECT_FALSE(cast.find_socket(fights, "no such place"));
    const PartId trim = cast.find_part(fights, "trim").value();
    EXPECT_EQ(fighter.baked.parts()[trim.value].name, "trim");
    EXPECT_NE(cast.find_part(fights, "trin").error().message.find("did you mean 'trim'?"), std::string::npos);
    EXPECT_FALSE(cast.find_part(ModelId(7), "trim")) << "which was never added";
  }
}

TEST(Cast, RefusesAGraphOfAnotherCharacter) {
  Cast cast;
  const auto refused = cast.add(test::walker().baked, test::mannequin().graph);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("the graph is of another character"), std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(cast.add(test::mannequin().baked, nullptr));
  EXPECT_FALSE(cast.add(Spawn{}, 0)) << "a cast without models has no characters";
}

}  // namespace
}  // namespace throng
