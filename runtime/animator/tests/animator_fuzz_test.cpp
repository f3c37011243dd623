// SPDX-License-Identifier: Apache-2.0
// Graphs nobody would draw, played at random: what must hold in all of them.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "graph/graph_data.h"
#include "graph_stage.h"
#include "throng/animator/explain.h"

namespace throng {

using namespace detail::animator;

namespace {

constexpr int kGraphs = 200;
constexpr int kSteps = 200;
const std::vector<std::string> kClips = {"idle", "walk", "run", "turn", "jump", "wave", "nod", "pose"};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool once_in(int count) { return below(count) == 0; }
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  GraphDraft graph() {
    GraphDraft draft;
    for (const char* name : {"f0", "f1", "f2"})
      draft.parameters.push_back({name, ParameterType::real, static_cast<double>(below(3))});
    draft.parameters.push_back({"i", ParameterType::integer, 0.0});
    draft.parameters.push_back({"b", ParameterType::boolean, 0.0});
    for (const char* name : {"t0", "t1"}) draft.parameters.push_back({name, ParameterType::trigger, 0.0});
    const int layers = 1 + below(3);
    for (int i = 0; i < layers; ++i) draft.layers.push_back(layer(i, draft));
    return draft;
  }

 private:
  LayerDraft layer(int index, const GraphDraft& draft) {
    LayerDraft layer{.name = fmt::format("l{}", index)};
    if (index > 0) {
      layer.weight = real(0.0f, 1.0f);
      layer.kind = once_in(2) ? LayerKind::additive : LayerKind::override;
      if (once_in(2))
        layer.mask = {{.bone = "spine", .weight = real(0, 1), .falloff = static_cast<std::uint32_t>(below(3))}};
    }
    if (index > 0 && once_in(3)) {
      layer.synchronised_with = "l0";
      layer.own_timing = once_in(2);
      for (const StateDraft& state : draft.layers[0].machine.states) {
        if (!once_in(3)) layer.motions.push_back({state.name, motion(0)});
      }
      return layer;
    }
    paths_.clear();
    name_machine(layer.machine, "", 0);
    fill_machine(layer.machine, true);
    return layer;
  }

  void name_machine(MachineDraft& machine, const std::string& prefix, int depth) {
    for (int i = 1 + below(4); i > 0; --i) {
      machine.states.emplace_back().name = fmt::format("s{}", i);
      paths_.push_back("/" + prefix + machine.states.back().name);
    }
    if (depth == 2) return;
    for (int i = below(3 - depth); i > 0; --i) {
      MachineDraft& inner = machine.machines.emplace_back();
      inner.name = fmt::format("m{}", i);
      paths_.push_back("/" + prefix + inner.name);
      name_machine(inner, prefix + inner.name + "/", depth + 1);
    }
  }

  void fill_machine(MachineDraft& machine, bool top) {
    for (StateDraft& state : machine.states) {
      if (!once_in(6)) state.motion = motion(0);
      state.speed = once_in(5) ? real(-2, 2) : real(0.5f, 2.0f);
      if (once_in(6)) state.speed_parameter = "f2";
      if (once_in(8)) state.time_parameter = "f1";
      if (once_in(4)) state.cycle_offset = real(-1, 1);
      for (int i = below(4); i > 0; --i) state.transitions.push_back(transition());
    }
    if (once_in(2)) machine.any.push_back(transition());
    if (once_in(2)) machine.entry.push_back({machine.states.back().name, conditions()});
    if (!top && once_in(2)) machine.exit.push_back({one_of(paths_), conditions()});
    for (MachineDraft& inner : machine.machines) fill_machine(inner, false);
  }

  TransitionDraft transition() {
    TransitionDraft way{.to = once_in(8) ? "exit" : one_of(paths_), .conditions = conditions()};
    if (way.conditions.empty() || once_in(3)) way.exit_time = real(0, 2);
    way.duration = once_in(4) ? 0.0f : real(0, 0.6f);
    way.normalised_duration = once_in(3);
    way.offset = once_in(3) ? real(0, 1) : 0.0f;
    way.interruption = static_cast<Interruption>(below(5));
    way.ordered = once_in(2);
    way.to_self = once_in(2);
    return way;
  }

  std::vector<ConditionDraft> conditions() {
    std::vector<ConditionDraft> all;
    for (int i = below(3); i > 0; --i) {
      const int kind = below(4);
      if (kind == 0)
        all.push_back({"f0", once_in(2) ? Comparison::greater : Comparison::less, static_cast<double>(real(-1, 2))});
      if (kind == 1) all.push_back({"i", static_cast<Comparison>(below(4)), static_cast<double>(below(3))});
      if (kind == 2) all.push_back({"b", once_in(2) ? Comparison::is_true : Comparison::is_false, 0.0});
      if (kind == 3) all.push_back({once_in(2) ? "t0" : "t1", Comparison::triggered, 0.0});
    }
    return all;
  }

  MotionDraft motion(int depth) {
    MotionDraft made;
    made.at = {static_cast<float>(below(5) - 2), static_cast<float>(below(5) - 2)};
    made.time_scale = once_in(4) ? -1.0f : real(0.5f, 2.0f);
    made.synchronised = !once_in(5);
    made.weight = once_in(2) ? "f0" : "f1";
    if (depth == 3 || once_in(2)) {
      made.kind = MotionKind::clip;
      made.clip = one_of(kClips);
      return made;
    }
    made.kind = static_cast<MotionKind>(static_cast<int>(MotionKind::blend_1d) + below(4));
    made.x = "f0";
    made.y = "f1";
    for (int i = 1 + below(4); i > 0; --i) made.children.push_back(motion(depth + 1));
    return made;
  }

  std::mt19937 random_;
  std::vector<std::string> paths_;
};

// What somebody does to a character in one image.
double disturb(Maker& maker, Animator& animator) {
  const auto value = [&] { return maker.once_in(20) ? maker.real(-1e6f, 1e6f) : maker.real(-2, 3); };
  if (maker.once_in(2)) (void)animator.set_float("f0", value());
  if (maker.once_in(3)) (void)animator.set_float("f1", value());
  if (maker.once_in(9)) (void)animator.set_float("f2", maker.real(-2, 2));
  if (maker.once_in(5)) (void)animator.set_int("i", maker.below(4));
  if (maker.once_in(4)) (void)animator.set_bool("b", maker.once_in(2));
  if (maker.once_in(3)) (void)animator.set_trigger(maker.once_in(2) ? "t0" : "t1");
  if (maker.once_in(30)) (void)animator.set_float("f0", std::nanf(""));
  if (animator.graph().layer_count() > 1 && maker.once_in(9)) (void)animator.set_layer_weight(1, maker.real(0, 1));
  if (maker.once_in(40))
    (void)animator.jump_to(static_cast<std::uint32_t>(maker.below(3)), static_cast<double>(maker.real(-1, 2)));
  if (maker.once_in(40)) (void)animator.cross_fade(static_cast<std::uint32_t>(maker.below(3)), 0.2);
  if (maker.once_in(1000)) return 1e9;  // tells as many events as a step may
  if (maker.once_in(50)) return maker.once_in(2) ? 1e3 : std::nan("");
  return maker.once_in(10) ? 0.0 : static_cast<double>(maker.real(0.0f, 0.1f));
}

void check_weights(const Animator& animator, std::uint32_t layer) {
  double sum = 0.0;
  for (const PlayingClip& clip : animator.clips(layer)) {
    EXPECT_GE(clip.weight, 0.0);
    EXPECT_TRUE(std::isfinite(clip.seconds) && std::isfinite(clip.speed));
    sum += clip.weight;
  }
  const LayerState at = animator.state(layer);
  // States with a motion give their share to clips; frozen poses and states without one have none.
  const auto has_motion = [&](std::uint32_t state) {
    return data_of(animator.graph()).layers[layer].motions[state] != kNone;
  };
  const double current = at.frozen ? 0.0 : 1.0 - at.progress;
  EXPECT_LE(sum, 1.0 + 1e-5);
  if (!at.next && has_motion(at.state)) {
    EXPECT_NEAR(sum, 1.0, 1e-5);
  }
  if (at.next && has_motion(at.state) && has_motion(*at.next)) {
    EXPECT_NEAR(sum, current + at.progress, 1e-5);
  }
}

void check_pose(Animator& animator) {
  animator.pose();
  for (std::uint32_t bone = 0; bone < animator.graph().rig()->bone_count(); ++bone) {
    const BoneTransform local = local_of(animator.locals(), bone);
    ASSERT_TRUE(std::isfinite(glm::dot(local.translation, local.translation)));
    ASSERT_NEAR(glm::length(local.rotation), 1.0f, 1e-4f);
    for (const glm::vec4& row : animator.models()[bone].rows) ASSERT_TRUE(std::isfinite(glm::dot(row, row)));
  }
}

// Every enter is followed by one exit before the next enter of that state, but for self-transitions, which overlap.
void check_signals(const Animator& animator, std::map<std::pair<std::uint32_t, std::uint32_t>, int>& inside) {
  double last = 0.0;
  for (const AnimatorSignal& signal : animator.signals()) {
    EXPECT_GE(signal.when, last);
    last = signal.when;
    int& count = inside[{signal.layer, signal.state}];
    if (signal.kind == SignalKind::enter) ++count;
    if (signal.kind == SignalKind::exit) --count;
    EXPECT_GE(count, 0);
    EXPECT_LE(count, 2 + Animator::kMaxChanges);
    if (signal.kind != SignalKind::event) continue;
    EXPECT_TRUE(signal.weight >= 0.0f && signal.weight <= 1.0001f);
  }
  for (std::uint32_t layer = 0; layer < animator.graph().layer_count(); ++layer) {
    if (!animator.graph().draft().layers[layer].synchronised_with.empty()) continue;
    const LayerState at = animator.state(layer);
    int all = 0;
    for (const auto& [key, count] : inside) all += key.first == layer ? count : 0;
    EXPECT_EQ(all, (at.frozen ? 0 : 1) + (at.next ? 1 : 0)) << "those inside are those that play";
  }
}

bool same(const Animator& a, const Animator& b) {
  for (std::uint32_t layer = 0; layer < a.graph().layer_count(); ++layer) {
    const LayerState x = a.state(layer), y = b.state(layer);
    if (x.state != y.state || x.next != y.next || x.normalised_time != y.normalised_time || x.progress != y.progress)
      return false;
  }
  for (std::size_t i = 0; i < a.models().size(); ++i) {
    if (a.models()[i].rows != b.models()[i].rows) return false;
  }
  return a.root_motion().translation == b.root_motion().translation && a.signals().size() == b.signals().size();
}

TEST(AnimatorFuzz, KeepsItsPromisesInAnyGraph) {
  int built = 0;
  for (int seed = 0; seed < kGraphs; ++seed) {
    Maker maker(static_cast<unsigned>(seed));
    const GraphDraft draft = maker.graph();
    auto graph = build_graph(draft, stage::rig());
    ASSERT_TRUE(graph) << graph.error().message;
    ++built;
    Animator animator(*graph, {.root_motion = seed % 2 == 0 ? RootMotionMode::extracted : RootMotionMode::kept});
    Animator copy = animator;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> inside;
    for (int step = 0; step < kSteps; ++step) {
      const LayerState before = animator.state();
      const double dt = disturb(maker, animator);
      animator.advance(dt);
      const LayerState after = animator.state();
      if (after.state == before.state && !before.next && !after.next && stage::told(animator, false, true).empty() &&
          after.speed > 0.0) {
        EXPECT_GE(after.normalised_time, before.normalised_time) << "seed " << seed << " step " << step;
      }
      for (std::uint32_t layer = 0; layer < animator.graph().layer_count(); ++layer) check_weights(animator, layer);
      check_signals(animator, inside);
      EXPECT_TRUE(std::isfinite(glm::length(animator.root_motion().translation)));
      if (step % 8 == 0) check_pose(animator);
      if (step == kSteps / 2) copy = animator;
      if (step % 50 == 0) {
        EXPECT_FALSE(animator.explain().text().empty());
      }
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << " step " << step << "\n" << to_json(draft);
    }
    // The copy goes its own way from where it was made, as the original would have.
    Animator twin = copy;
    for (int step = 0; step < 10; ++step) {
      copy.advance(0.03);
      twin.advance(0.03);
    }
    copy.pose();
    twin.pose();
    EXPECT_TRUE(same(copy, twin)) << seed;
  }
  EXPECT_EQ(built, kGraphs);
}

TEST(AnimatorFuzz, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::vector<Animator>> casts;
  for (const unsigned threads : {1u, 2u, 5u}) {
    ThreadExecutor executor(threads);
    std::vector<Animator>& cast = casts.emplace_back();
    for (int seed = 0; seed < 60; ++seed)
      cast.emplace_back(build_graph(Maker(static_cast<unsigned>(seed)).graph(), stage::rig()).value());
    std::vector<Maker> makers;
    for (int seed = 0; seed < 60; ++seed) makers.emplace_back(static_cast<unsigned>(1000 + seed));
    for (int step = 0; step < 40; ++step) {
      for (std::size_t i = 0; i < cast.size(); ++i) disturb(makers[i], cast[i]);
      update_all(cast, 0.04, executor);
      if (step % 10 == 9) pose_all(cast, executor);
    }
    for (std::size_t i = 0; i < cast.size(); ++i)
      EXPECT_TRUE(same(cast[i], casts[0][i])) << threads << " threads, animator " << i;
  }
}

TEST(AnimatorFuzz, UsesATriggerOnce) {
  int used = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Maker maker(static_cast<unsigned>(seed));
    Animator animator(build_graph(maker.graph(), stage::rig()).value());
    const std::uint32_t trigger = animator.graph().find_parameter("t0").value();
    for (int step = 0; step < 60; ++step) {
      disturb(maker, animator);
      (void)animator.reset_trigger(trigger);
      animator.advance(0.02);
      ASSERT_EQ(animator.parameter(trigger), 0.0) << "nobody sets one but the caller";
      (void)animator.set_trigger(trigger);
      animator.advance(0.02);
      used += animator.parameter(trigger) == 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(used, 20);
}

}  // namespace
}  // namespace throng
