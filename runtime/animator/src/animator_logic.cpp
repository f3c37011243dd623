// SPDX-License-Identifier: Apache-2.0
#include "animator_logic.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "animator_poser.h"
#include "graph/motion_weights.h"

namespace throng::detail::animator {
namespace {
constexpr double kFarthest = 1e30;
}

double AnimatorLogic::presence(std::uint32_t layer, double share_of_next) const {
  const PlayedLayer& at = run(layer);
  const auto of = [&](const PlayedState& playing) {
    if (playing.frozen) return static_cast<double>(at.frozen.presence);
    return motion_of(layer, playing) == nullptr ? 0.0 : 1.0;
  };
  return glm::mix(of(at.current), at.fading ? of(at.next) : 0.0, share_of_next);
}

void AnimatorLogic::signal(SignalKind kind, std::uint32_t layer, std::uint32_t state) {
  animator.signals.push_back({.kind = kind, .layer = layer, .state = state, .when = now});
}

// What parameters say about a state that plays: how fast, which clips, and how long a loop takes.
void AnimatorLogic::refresh(std::uint32_t layer, PlayedState& playing) {
  const State& state = state_of(layer, playing);
  const std::vector<double>& parameters = animator.parameters;
  const double factor = state.speed_parameter == kNone ? 1.0 : parameters[state.speed_parameter];
  playing.speed = state.time_parameter == kNone ? state.speed * factor : 0.0;
  const std::span<GroupClock> at = clocks(layer, playing);
  const StateMotion* motion = motion_of(layer, playing);
  if (motion == nullptr) {
    at[0].length = 1.0;
    return;
  }
  if (motion->trees.empty()) {
    weights(layer, playing)[0] = 1.0f;
    at[0].length = motion->leaves[0].length > 0.0 ? motion->leaves[0].length : 1.0;
    return;
  }
  std::array<double, kMaxLeaves> lengths{};
  weigh_motion(*motion, parameters, weights(layer, playing), lengths);
  for (std::uint32_t group = 0; group < motion->groups; ++group) at[group].length = lengths[group];
}

double AnimatorLogic::beginning(std::uint32_t layer, std::uint32_t state, double offset) const {
  const State& of = states_of(layer).states[state];
  const double factor = of.speed_parameter == kNone ? 1.0 : animator.parameters[of.speed_parameter];
  return of.speed * factor < 0.0 ? 1.0 - offset : offset;
}

void AnimatorLogic::enter(std::uint32_t layer, PlayedState& playing, std::uint32_t state, double normalised_time) {
  playing.state = state;
  playing.fresh = true;
  playing.frozen = false;
  const std::uint32_t parameter = state_of(layer, playing).time_parameter;
  const LoopTime time = carried(0.0, parameter == kNone ? normalised_time : animator.parameters[parameter]);
  for (GroupClock& clock : clocks(layer, playing)) clock = {.loops = time.loops, .phase = time.phase};
  refresh(layer, playing);
}

void AnimatorLogic::begin() {
  for (std::uint32_t layer = 0; layer < graph.layers.size(); ++layer) {
    if (graph.layers[layer].master != layer) continue;
    const std::uint32_t state = resolve(graph.layers[layer], {TargetKind::machine, 0}, true);
    each_follower(layer, [&](std::uint32_t each) {
      run(each).next.slot = 1;
      run(each).transition = run(each).last_fired = kNone;
      enter(each, run(each).current, state, beginning(layer, state, 0.0));
    });
    animator.pending.push_back({.kind = SignalKind::enter, .layer = layer, .state = state});
  }
}

void AnimatorLogic::freeze(std::uint32_t layer) {
  measure_velocity(layer);
  AnimatorPoser(animator).freeze(layer);
}

void AnimatorLogic::start(std::uint32_t layer, std::uint32_t state, double duration, double offset,
                          bool from_destination) {
  PlayedLayer& at = run(layer);
  const bool breaks_off = at.fading;
  const std::uint32_t dropped = at.next.state;
  const bool was_frozen = at.current.frozen;
  const std::uint32_t left = at.current.state;
  each_follower(layer, [&](std::uint32_t each) {
    PlayedLayer& of = run(each);
    if (breaks_off && duration > 0.0) freeze(each);
    if (from_destination) std::swap(of.current, of.next);
    of.current.frozen = breaks_off;
    of.next.slot = 1 - of.current.slot;
    of.fading = true;
    of.fade_length = duration;
    of.faded = 0.0;
    enter(each, of.next, state, offset);
  });
  if (breaks_off && !was_frozen) signal(SignalKind::exit, layer, left);
  if (breaks_off) signal(SignalKind::exit, layer, dropped);
  signal(SignalKind::enter, layer, state);
  if (duration <= 0.0) finish(layer);
}

void AnimatorLogic::finish(std::uint32_t layer) {
  const PlayedState& left = run(layer).current;
  if (!left.frozen) signal(SignalKind::exit, layer, left.state);
  each_follower(layer, [&](std::uint32_t each) {
    PlayedLayer& of = run(each);
    std::swap(of.current, of.next);
    of.fading = false;
    of.transition = kNone;
  });
}

void AnimatorLogic::jump(std::uint32_t layer, std::uint32_t state, double normalised_time) {
  cross_fade(layer, state, 0.0, normalised_time);
}

// Between updates: what it signals is kept for the next.
void AnimatorLogic::cross_fade(std::uint32_t layer, std::uint32_t state, double duration, double normalised_time) {
  const std::size_t told = animator.signals.size();
  each_follower(layer, [&](std::uint32_t each) { run(each).transition = kNone; });
  start(layer, state, duration, normalised_time, false);
  const auto first = animator.signals.begin() + static_cast<std::ptrdiff_t>(told);
  animator.pending.insert(animator.pending.end(), first, animator.signals.end());
  animator.signals.erase(first, animator.signals.end());
}

void AnimatorLogic::update_layer(std::uint32_t layer, double dt) {
  PlayedLayer& at = run(layer);
  now = 0.0;
  at.held_back = false;
  at.last_fired = kNone;
  if (animator.parameters_changed) {
    each_follower(layer, [&](std::uint32_t each) {
      if (!run(each).current.frozen) refresh(each, run(each).current);
      if (run(each).fading) refresh(each, run(each).next);
    });
  }
  if (states_of(layer).follows_time_parameters) follow_time_parameter(layer);
  double left = dt;
  for (int changes = 0; changes < Animator::kMaxChanges; ++changes) {
    const Ready ready = find_ready(layer, left);
    const double ends = at.fading ? std::max(0.0, at.fade_length - at.faded) : kNever;
    const double after = std::min(ends, ready.after);
    if (!(after <= left)) {
      sweep(layer, left);
      return;
    }
    sweep(layer, after);
    left -= after;
    if (ends <= ready.after) {
      finish(layer);
    } else {
      fire(layer, ready);
    }
  }
  at.held_back = true;
  sweep(layer, left);
}

// Layers that override take root motion over as far as they take the root bone over: not where a state has no motion.
void AnimatorLogic::sum_root_motion() {
  if (animator.settings.root_motion != RootMotionMode::extracted) {
    animator.root_motion = {};
    return;
  }
  GroundMotion sum = run(0).root_motion;
  for (std::uint32_t layer = 1; layer < graph.layers.size(); ++layer) {
    const GraphLayer& of = graph.layers[layer];
    if (of.kind != LayerKind::override) continue;
    const PlayedLayer& at = run(layer);
    const double share = static_cast<double>(at.weight * of.root_share);
    const double present = at.passed > 0.0 ? at.present / at.passed : presence(layer, share_of_next(layer));
    const double under = 1.0 - share * present;
    sum = {under * sum.translation + share * at.root_motion.translation, under * sum.yaw + share * at.root_motion.yaw};
  }
  // A step of a billion seconds may lead further than floats go.
  animator.root_motion.translation = glm::vec3(glm::clamp(sum.translation, -kFarthest, kFarthest));
  animator.root_motion.rotation = glm::quat(rotation_of(sum));
}

void AnimatorLogic::sort_signals() {
  std::vector<AnimatorSignal>& signals = animator.signals;
  if (signals.size() < 2) return;
  const auto earlier = [](const AnimatorSignal& a, const AnimatorSignal& b) { return a.when < b.when; };
  if (std::is_sorted(signals.begin(), signals.end(), earlier)) return;
  // The few of a usual update in place, without the buffer a stable sort takes.
  constexpr std::size_t kFew = 32;
  if (signals.size() > kFew) return std::stable_sort(signals.begin(), signals.end(), earlier);
  for (auto at = signals.begin(); at != signals.end(); ++at) {
    std::rotate(std::upper_bound(signals.begin(), at, *at, earlier), at, at + 1);
  }
}

void AnimatorLogic::update(double dt) {
  animator.signals.clear();
  std::swap(animator.signals, animator.pending);
  for (PlayedLayer& layer : animator.layers) {
    layer.root_motion = {};
    layer.passed = layer.present = 0.0;
  }
  const double step = dt > 0.0 ? std::min(dt, Animator::kMaxStep) : 0.0;
  for (std::uint32_t layer = 0; layer < graph.layers.size(); ++layer) {
    if (graph.layers[layer].master == layer) update_layer(layer, step);
  }
  animator.parameters_changed = false;
  sum_root_motion();
  sort_signals();
}

}  // namespace throng::detail::animator
