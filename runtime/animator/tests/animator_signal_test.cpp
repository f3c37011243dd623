// SPDX-License-Identifier: Apache-2.0
// Events, root motion, and who is told.

#include <gtest/gtest.h>

#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include "compiled_rig.h"
#include "graph_stage.h"

namespace throng {
namespace {

const std::string kWalk = "[{'name': 'a', 'motion': 'walk'}]";

TEST(AnimatorEvents, AreToldOnceEachAcrossLoopsForAnyStep) {
  for (const double dt : {0.01, 0.05, 0.3, 0.7, 1.0, 2.5, 4.999}) {
    Animator animator(stage::graph(stage::base_layer(kWalk)));
    int left = 0, right = 0, wrap = 0;
    double done = 0.0;
    for (; done < 5.2 - 1e-9; done += dt) {
      animator.advance(std::min(dt, 5.2 - done));
      std::string words = stage::told(animator);
      for (std::size_t at = 0; (at = words.find("left", at)) != std::string::npos; ++at) ++left;
      for (std::size_t at = 0; (at = words.find("right", at)) != std::string::npos; ++at) ++right;
      for (std::size_t at = 0; (at = words.find("wrap", at)) != std::string::npos; ++at) ++wrap;
      for (std::size_t i = 1; i < animator.signals().size(); ++i)
        EXPECT_LE(animator.signals()[i - 1].when, animator.signals()[i].when);
    }
    EXPECT_EQ(left, 6) << dt << ": at 0 and at every wrap";
    EXPECT_EQ(right, 5) << dt;
    EXPECT_EQ(wrap, 5) << dt;
  }
}

TEST(AnimatorEvents, AreToldInOrderOfTimeWithTheirMoment) {
  Animator animator(stage::graph(stage::base_layer(kWalk)));
  animator.advance(1.6);
  EXPECT_EQ(stage::told(animator), "left right wrap left right");
  const auto signals = animator.signals();
  EXPECT_NEAR(signals[2].when, 0.5, 1e-9) << "the first is the state's enter";
  EXPECT_NEAR(signals[5].when, 1.5, 1e-9);
}

TEST(AnimatorEvents, AreToldBackwards) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'walk', 'speed': -1}]")));
  animator.advance(0.6);
  EXPECT_EQ(stage::told(animator), "wrap right") << "from the start back into the loop before: its end first";
  animator.advance(0.6);
  EXPECT_EQ(stage::told(animator), "left wrap") << "the beginning of that loop is the end of the one before";
}

TEST(AnimatorEvents, OfAClipThatEndsAreToldBackwardsFromItsEnd) {
  Animator animator(stage::graph(
      stage::base_layer("[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 0, 'offset': 0.25, "
                        "'conditions': [{'trigger': 'go'}]}]}, {'name': 'b', 'motion': 'jump', 'speed': -1}]")));
  ASSERT_TRUE(animator.jump_to(1, 1.0));
  animator.advance(0.25);
  EXPECT_EQ(stage::told(animator), "land");
  animator.pose();
  EXPECT_NEAR(stage::local_position(animator, "spine").x, 6.0, 1e-5);
  animator.advance(5.0);
  EXPECT_EQ(stage::told(animator), "off");
  ASSERT_TRUE(animator.jump_to(0));
  stage::set(animator, "go!");
  animator.advance(0.25);
  EXPECT_NEAR(animator.state().normalised_time, 0.5, 1e-12) << "the offset counts the way it plays";
  animator.pose();
  EXPECT_NEAR(stage::local_position(animator, "spine").x, 4.0, 1e-5);
}

TEST(AnimatorEvents, OfALayerThatFollowsComeAtThePaceOfTheOther) {
  std::string json = stage::base_layer("[{'name': 'a', 'motion': 'wave'}]");
  json.replace(json.rfind("]}"), 1,
               ", {'name': 'top', 'synchronised_with': 'base', 'motions': [{'state': 'a', 'motion': 'idle'}]}]");
  Animator animator(stage::graph(json));
  animator.advance(2.0);
  ASSERT_EQ(stage::told(animator), "breathe");
  EXPECT_NEAR(animator.signals().back().when, 0.5, 1e-9) << "a quarter of the loop, which takes two seconds";
}

TEST(AnimatorEvents, OfAClipThatEndsAreToldOnce) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'jump'}]")));
  animator.advance(0.9);
  EXPECT_EQ(stage::told(animator), "off");
  animator.advance(0.1);
  EXPECT_EQ(stage::told(animator), "land");
  animator.advance(5.0);
  EXPECT_EQ(stage::told(animator), "");
}

TEST(AnimatorEvents, HaveTheWeightOfTheirMoment) {
  const std::string states =
      "[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 1, 'conditions': [{'trigger': "
      "'go'}]}]}, {'name': 'b', 'motion': 'walk'}]";
  Animator animator(stage::graph(stage::base_layer(states)));
  stage::set(animator, "go!");
  animator.advance(0.8);
  EXPECT_EQ(stage::told(animator), "left breathe right");
  for (const AnimatorSignal& signal : animator.signals()) {
    if (signal.kind != SignalKind::event) continue;
    EXPECT_NEAR(signal.weight, signal.clip == ClipId(0) ? 1.0 - signal.when : signal.when, 1e-6);
  }
  Animator deaf(stage::graph(stage::base_layer(states)), {.minimum_event_weight = 0.6f});
  stage::set(deaf, "go!");
  deaf.advance(0.8);
  EXPECT_EQ(stage::told(deaf), "breathe");
}

TEST(AnimatorEvents, OfEveryCycleOfAStepAreTold) {
  struct Told {
    std::vector<std::uint32_t> events;
    std::vector<double> when;

    void add(const Animator& animator, double before) {
      for (const AnimatorSignal& signal : animator.signals()) {
        if (signal.kind != SignalKind::event) continue;
        events.push_back(signal.event);
        when.push_back(before + signal.when);
      }
    }
  };
  for (const char* speed : {"1", "-1", "-2.5"}) {
    const auto graph =
        stage::graph(stage::base_layer(std::string("[{'name': 'a', 'motion': 'walk', 'speed': ") + speed + "}]"));
    Animator once(graph), often(graph);
    Told at_once, bit_by_bit;
    once.advance(1000.25);
    at_once.add(once, 0.0);
    for (int i = 0; i < 8002; ++i) {
      often.advance(0.125);
      bit_by_bit.add(often, 0.125 * i);
    }
    EXPECT_GE(at_once.events.size(), 3000u);
    ASSERT_EQ(at_once.events, bit_by_bit.events) << speed;
    for (std::size_t i = 0; i < at_once.when.size(); ++i) ASSERT_NEAR(at_once.when[i], bit_by_bit.when[i], 1e-6);
  }
}

TEST(AnimatorEvents, OfAHugeStepAreBounded) {
  Animator animator(stage::graph(stage::base_layer(kWalk)));
  animator.advance(1e9);
  EXPECT_GE(animator.signals().size(), Animator::kMaxStepEvents - 3u);
  EXPECT_LE(animator.signals().size(), Animator::kMaxStepEvents + 4u);
  animator.advance(0.6);
  EXPECT_NE(stage::told(animator).find("right"), std::string::npos) << "and it goes on as ever";
}

TEST(AnimatorSignals, PairEveryEnterWithAnExit) {
  Animator animator(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'idle', 'transitions': [{'to': 'b', 'duration': 1, "
                                     "'interruption': 'destination', 'conditions': [{'trigger': 'go'}]}]},"
                                     "{'name': 'b', 'motion': 'walk', 'transitions': [{'to': 'c', 'duration': 0.5, "
                                     "'conditions': [{'trigger': 'stop'}]}]}, {'name': 'c', 'motion': 'run'}]")));
  animator.advance(0.1);
  EXPECT_EQ(stage::told(animator, false, true), "+a");
  stage::set(animator, "go!");
  animator.advance(0.1);
  EXPECT_EQ(stage::told(animator, false, true), "+b");
  stage::set(animator, "stop!");
  animator.advance(0.1);
  EXPECT_EQ(stage::told(animator, false, true), "-a -b +c") << "broken off: both are left";
  animator.advance(1.0);
  EXPECT_EQ(stage::told(animator, false, true), "") << "only a pose is faded from";
}

class Diary : public AnimatorListener {
 public:
  void on_signal(Animator& animator, const AnimatorSignal& signal) override {
    if (signal.kind == SignalKind::event)
      words += animator.graph().rig()->clips()[signal.clip.value].events[signal.event].name + " ";
    if (signal.kind == SignalKind::enter) words += "+" + animator.graph().state_path(signal.state) + " ";
    if (signal.kind == SignalKind::exit) words += "-" + animator.graph().state_path(signal.state) + " ";
    if (signal.kind == SignalKind::event && jump) jumped = animator.jump_to(1).has_value();
  }
  void on_update(Animator&, std::uint32_t layer, const LayerState& state) override {
    words += fmt::format("{}:{:.1f} ", layer, state.normalised_time);
  }

  std::string words;
  bool jump = false;
  bool jumped = false;
};

TEST(AnimatorSignals, ReachTheListenerInOrderAndMayChangeThings) {
  Diary diary;
  Animator animator(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'idle'}, {'name': 'b', 'motion': 'walk'}]")));
  animator.listener = &diary;
  diary.jump = true;
  animator.advance(0.3);
  EXPECT_EQ(diary.words, "+a breathe 0:0.0 ") << "on_update sees the jump the listener made";
  EXPECT_TRUE(diary.jumped);
  diary.words.clear();
  diary.jump = false;
  animator.advance(0.6);
  EXPECT_EQ(diary.words, "+b -a left right 0:0.6 ");
}

TEST(AnimatorSignals, ComeInOrderOfAnimatorsWhateverTheThreads) {
  const auto graph = stage::graph(stage::base_layer(kWalk));
  std::string serial;
  for (const unsigned threads : {1u, 4u}) {
    std::vector<Animator> animators;
    std::vector<Diary> diaries(1);
    for (int i = 0; i < 200; ++i) {
      animators.emplace_back(graph).listener = &diaries[0];
      ASSERT_TRUE(animators.back().jump_to(0, 0.005 * i));
    }
    ThreadExecutor executor(threads);
    update_all(animators, 0.3, executor);
    EXPECT_GT(diaries[0].words.size(), 1000u);
    if (threads == 1u) serial = diaries[0].words;
    EXPECT_EQ(diaries[0].words, serial);
  }
}

double z_of(const Animator& animator) { return static_cast<double>(animator.root_motion().translation.z); }

TEST(RootMotion, IsTheClipsWayAcrossLoops) {
  Animator animator(stage::graph(stage::base_layer(kWalk)), {.root_motion = RootMotionMode::extracted});
  animator.advance(0.25);
  EXPECT_NEAR(z_of(animator), 0.5, 1e-5);
  animator.advance(1.0);
  EXPECT_NEAR(z_of(animator), 2.0, 1e-5) << "over the wrap";
  animator.advance(10.5);
  EXPECT_NEAR(z_of(animator), 21.0, 1e-4) << "over many";
  animator.pose();
  EXPECT_NEAR(stage::local_position(animator, "root").z, 0.0, 1e-5) << "and the pose stays in place";
  Animator kept(stage::graph(stage::base_layer(kWalk)));
  kept.advance(0.25);
  kept.pose();
  EXPECT_EQ(z_of(kept), 0.0);
  EXPECT_NEAR(stage::local_position(kept, "root").z, 0.5, 1e-5);
}

TEST(RootMotion, GoesBackwards) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'walk', 'speed': -1}]")),
                    {.root_motion = RootMotionMode::extracted});
  animator.advance(2.25);
  EXPECT_NEAR(z_of(animator), -4.5, 1e-5);
}

TEST(RootMotion, TurnsWithTheCharacter) {
  Animator animator(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'turn'}]")),
                    {.root_motion = RootMotionMode::extracted});
  animator.advance(4.0);
  EXPECT_NEAR(glm::length(animator.root_motion().translation), 0.0, 1e-4) << "four quarters lead back";
  EXPECT_NEAR(std::abs(animator.root_motion().rotation.w), 1.0, 1e-5);
  // Many short steps, put together, are the long one.
  Animator often(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'turn'}]")),
                 {.root_motion = RootMotionMode::extracted});
  glm::vec3 place(0.0f);
  glm::quat turn(1.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < 150; ++i) {
    often.advance(0.01);
    place += turn * often.root_motion().translation;
    turn = turn * often.root_motion().rotation;
  }
  Animator once(stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'turn'}]")),
                {.root_motion = RootMotionMode::extracted});
  once.advance(1.5);
  EXPECT_NEAR(glm::length(place - once.root_motion().translation), 0.0, 1e-3);
  EXPECT_NEAR(glm::angle(turn), 1.5 * glm::half_pi<double>(), 1e-3);
  EXPECT_NEAR(glm::axis(turn).y, 1.0, 1e-4);
}

// A root that starts turned and off the origin, on a base that lies turned: what is taken out of the pose is what the
// character moves by, so that both together are the clip.
TEST(RootMotion, AndThePoseItLeavesAreTheClipWhereverThatStarts) {
  ModelDraft draft;
  draft.name = "stick";
  const glm::dquat lying = glm::angleAxis(-glm::half_pi<double>(), glm::dvec3(1.0, 0.0, 0.0));
  draft.bones = {{"base", std::nullopt, {.translation = {0.5, 0.25, 0.0}, .rotation = lying}}, {"root", 0u, {}}};
  Clip clip;
  clip.name = "swing";
  clip.end = 1.0;
  clip.loops = false;
  BoneTrack root{.bone = 1, .translation = {}, .rotation = {}, .scale = {}};
  for (int key = 0; key <= 30; ++key) {
    const double t = key / 30.0;
    const glm::dvec3 place(0.3 - t, 1.0, 0.2 + 2.0 * t);
    const double yaw = glm::radians(10.0 + 90.0 * t);
    const glm::dquat leaning = glm::angleAxis(0.4, glm::dvec3(1.0, 0.0, 0.0));
    root.translation.times.push_back(static_cast<float>(t));
    root.translation.values.emplace_back(glm::conjugate(lying) * (place - draft.bones[0].rest.translation));
    root.rotation.times.push_back(static_cast<float>(t));
    root.rotation.values.emplace_back(glm::conjugate(lying) * glm::angleAxis(yaw, glm::dvec3(0.0, 1.0, 0.0)) * leaning);
  }
  clip.bones = {root};
  draft.clips = {clip};
  const auto rig = test::compiled_rig(build_model(std::move(draft)).value(), {.root_bone = "root"}).value();
  GraphDraft swing;
  swing.layers = {{.name = "base"}};
  swing.layers[0].machine.states = {{.name = "swing", .motion = {.kind = MotionKind::clip, .clip = "swing"}}};
  const auto graph = build_graph(std::move(swing), rig).value();
  Animator kept(graph);
  Animator taken_out(graph, {.root_motion = RootMotionMode::extracted});
  glm::mat4 world_from_model(1.0f);
  for (int i = 0; i <= 24; ++i) {
    SCOPED_TRACE(i / 24.0);
    for (Animator* animator : {&kept, &taken_out}) {
      animator->advance(i == 0 ? 0.0 : 1.0 / 24.0);
      animator->pose();
    }
    const RootMotion& step = taken_out.root_motion();
    world_from_model =
        world_from_model * glm::translate(glm::mat4(1.0f), step.translation) * glm::mat4_cast(step.rotation);
    const glm::mat4 in_place = to_matrix(taken_out.models()[1]);
    EXPECT_LT(glm::distance(glm::vec3(in_place[3]), glm::vec3(0.3f, 1.0f, 0.2f)), 1e-3f) << "as the clip begins";
    const glm::mat4 both = world_from_model * in_place;
    const glm::mat4 clip_has = to_matrix(kept.models()[1]);
    for (int column = 0; column < 4; ++column) {
      EXPECT_LT(glm::distance(both[column], clip_has[column]), 1e-3f) << "column " << column;
    }
  }
  EXPECT_LT(glm::distance(glm::vec3(to_matrix(kept.models()[1])[3]), glm::vec3(-0.7f, 1.0f, 2.2f)), 1e-3f);
}

TEST(RootMotion, IsBlendedInTreesAndTransitions) {
  Animator tree(stage::graph(stage::base_layer("[{'name': 'g', 'motion': {'blend': '1d', 'x': 'speed', 'children': "
                                               "[{'clip': 'walk', 'at': 0}, {'clip': 'run', 'at': 1}]}}]")),
                {.root_motion = RootMotionMode::extracted});
  stage::set(tree, "speed=0.5");
  tree.advance(0.75);
  EXPECT_NEAR(z_of(tree), 2.5, 1e-4) << "half of each in a loop of 0.75 s";
  Animator fade(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'walk', 'transitions': [{'to': 'b', 'duration': 1, "
                                     "'conditions': [{'trigger': 'go'}]}]}, {'name': 'b', 'motion': 'run'}]")),
      {.root_motion = RootMotionMode::extracted});
  stage::set(fade, "go!");
  fade.advance(1.0);
  EXPECT_NEAR(z_of(fade), 0.5 * 2.0 + 0.5 * 6.0, 1e-4) << "speeds 2 and 6, each with half the weight in the mean";
}

TEST(RootMotion, IsTakenOutOfClipsNoStatePlaysToo) {
  const auto graph = stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'idle'}]"));
  const Rig& rig = *graph->rig();
  const ClipId walk = rig.find_clip("walk").value();
  std::vector<SoaTransform> locals(rig.group_count());
  std::vector<std::uint32_t> cursors(rig.clips()[walk.value].cursor_count);
  ASSERT_TRUE((SampleJob{.rig = rig, .clip = walk, .time = 0.75f, .cursors = cursors, .locals = locals}.run()));
  EXPECT_NEAR(local_of(locals, 0).translation.z, 1.5, 1e-5);
  graph->take_out_root_motion(walk, 0.75, locals);
  EXPECT_NEAR(local_of(locals, 0).translation.z, 0.0, 1e-5);
  graph->take_out_root_motion(ClipId(99), 0.75, locals);
  EXPECT_NEAR(local_of(locals, 0).translation.z, 0.0, 1e-5) << "no such clip: as it was";
}

TEST(RootMotion, GoesThroughLayersThatHaveNoMotion) {
  std::string json = stage::base_layer(kWalk);
  json.replace(json.rfind("]}"), 1,
               ", {'name': 'top', 'states': [{'name': 'nothing', 'transitions': [{'to': 'stand', 'duration': 1, "
               "'conditions': [{'trigger': 'go'}]}]}, {'name': 'stand', 'motion': 'idle'}]}]");
  Animator animator(stage::graph(json), {.root_motion = RootMotionMode::extracted});
  animator.advance(0.5);
  EXPECT_NEAR(z_of(animator), 1.0, 1e-5) << "a layer that does nothing";
  stage::set(animator, "go!");
  animator.advance(1.0);
  EXPECT_NEAR(z_of(animator), 1.0, 1e-5) << "on the way to a state that stands: half on the mean";
  animator.advance(1.0);
  EXPECT_NEAR(z_of(animator), 0.0, 1e-5) << "stands";
}

TEST(RootMotion, IsTakenOverByLayersThatMoveTheRootBone) {
  const auto way = [](const std::string& layer) {
    Animator animator(
        stage::graph("{'layers': [{'name': 'base', 'states': [{'name': 'a', 'motion': 'walk'}]}, {'name': 'top', " +
                     layer + "}]}"),
        {.root_motion = RootMotionMode::extracted});
    animator.advance(0.25);
    return z_of(animator);
  };
  EXPECT_NEAR(way("'states': [{'name': 'r', 'motion': 'run'}]"), 1.5, 1e-5);
  EXPECT_NEAR(way("'weight': 0.5, 'states': [{'name': 'r', 'motion': 'run'}]"), 1.0, 1e-5);
  EXPECT_NEAR(way("'mask': [{'bone': 'spine'}], 'states': [{'name': 'r', 'motion': 'run'}]"), 0.5, 1e-5);
  EXPECT_NEAR(way("'kind': 'additive', 'states': [{'name': 'r', 'motion': 'run'}]"), 0.5, 1e-5);
  EXPECT_NEAR(way("'states': [{'name': 'nothing'}]"), 0.5, 1e-5) << "what has no motion takes nothing over";
}

TEST(RootMotion, DoesNotStopWhereAFadeIsBrokenOff) {
  Animator animator(
      stage::graph(stage::base_layer("[{'name': 'a', 'motion': 'walk', 'transitions': [{'to': 'b', 'duration': 1, "
                                     "'interruption': 'destination', 'conditions': [{'trigger': 'go'}]}]},"
                                     "{'name': 'b', 'motion': 'walk', 'transitions': [{'to': 'c', 'duration': 1, "
                                     "'conditions': [{'trigger': 'stop'}]}]}, {'name': 'c', 'motion': 'walk'}]")),
      {.root_motion = RootMotionMode::extracted});
  stage::set(animator, "go!");
  animator.advance(0.4);
  stage::set(animator, "stop!");
  for (int i = 0; i < 20; ++i) {
    animator.advance(0.05);
    EXPECT_NEAR(z_of(animator), 0.1, 1e-4) << "walks on at 2 a second, in step " << i;
  }
}

}  // namespace
}  // namespace throng
