// SPDX-License-Identifier: Apache-2.0
#pragma once
// One update of an animator: which transitions fire and when, what plays, which events are met. A view: owns nothing.

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "animator_state.h"
#include "graph/leaf_time.h"

namespace throng::detail::animator {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct AnimatorLogic {
  explicit AnimatorLogic(AnimatorState& of) : animator(of), graph(data_of(*of.graph)) {}

  // animator_logic.cpp
  void begin();
  void update(double dt);
  void jump(std::uint32_t layer, std::uint32_t state, double normalised_time);
  void cross_fade(std::uint32_t layer, std::uint32_t state, double duration, double normalised_time);

  // animator_logic_transitions.cpp
  struct Ready {
    std::uint32_t transition = kNone;
    double after = kNever;  // seconds
    bool from_destination = false;
  };
  bool holds(const Condition& condition) const;
  bool all_hold(const GraphLayer& layer, const Range& conditions) const;
  // Seconds until the exit time lets it pass; 0: it does now.
  double until_exit(std::uint32_t layer, const PlayedState& source, const Transition& transition) const;
  // The state a target leads to with the parameters as they are; `take`: triggers it passes are used up.
  std::uint32_t resolve(const GraphLayer& layer, Target target, bool take);
  // Whether it may go there: a transition from any state may be barred from the state that plays already.
  bool may_go(std::uint32_t layer, const Transition& transition);
  // What fires first within `left` seconds, and of what fires then the first in order.
  Ready find_ready(std::uint32_t layer, double left);
  void fire(std::uint32_t layer, const Ready& ready);
  // Calls visit(transition, source, from_destination) for all that may fire as things are, in order.
  template <class Visit>
  void each_candidate(std::uint32_t layer, const Visit& visit) const;

  // animator_logic_sweep.cpp: time passes.
  void sweep(std::uint32_t layer, double seconds);
  void follow_time_parameter(std::uint32_t layer);
  void measure_velocity(std::uint32_t layer);

  PlayedLayer& run(std::uint32_t layer) const { return animator.layers[layer]; }
  const GraphLayer& states_of(std::uint32_t layer) const { return graph.layers[graph.layers[layer].master]; }
  const State& state_of(std::uint32_t layer, const PlayedState& playing) const {
    return states_of(layer).states[playing.state];
  }
  const StateMotion* motion_of(std::uint32_t layer, const PlayedState& playing) const {
    const std::uint32_t index = graph.layers[layer].motions[playing.state];
    return index == kNone ? nullptr : &graph.motions[index];
  }
  std::span<GroupClock> clocks(std::uint32_t layer, const PlayedState& playing) const {
    const GraphLayer& of = graph.layers[layer];
    return {animator.clocks.data() + of.clocks_base + playing.slot * of.clocks_size, of.clocks_size};
  }
  std::span<float> weights(std::uint32_t layer, const PlayedState& playing) const {
    const GraphLayer& of = graph.layers[layer];
    return {animator.weights.data() + of.weights_base + playing.slot * of.weights_size, of.weights_size};
  }
  double share_of_next(std::uint32_t layer) const {
    const PlayedLayer& at = run(layer);
    if (!at.fading) return 0.0;
    return at.fade_length > 0.0 ? std::clamp(at.faded / at.fade_length, 0.0, 1.0) : 1.0;
  }
  // How much of the layer has a motion when so much of it is the next state; the rest lets the layers below through.
  double presence(std::uint32_t layer, double share_of_next) const;
  void add_root_motion(std::uint32_t layer, const GroundMotion& motion) const;

  AnimatorState& animator;
  const GraphData& graph;
  double now = 0.0;  // seconds since the update's start

 private:
  // Calls act(layer) for a layer and those that follow it.
  template <class Act>
  void each_follower(std::uint32_t layer, const Act& act) const {
    act(layer);
    for (const std::uint32_t follower : graph.layers[layer].followers) act(follower);
  }
  void signal(SignalKind kind, std::uint32_t layer, std::uint32_t state);
  void refresh(std::uint32_t layer, PlayedState& playing);
  // Where a state begins that is `offset` into its play: one that plays backwards begins at its end.
  double beginning(std::uint32_t layer, std::uint32_t state, double offset) const;
  void enter(std::uint32_t layer, PlayedState& playing, std::uint32_t state, double normalised_time);
  void start(std::uint32_t layer, std::uint32_t state, double duration, double offset, bool from_destination);
  void finish(std::uint32_t layer);
  void freeze(std::uint32_t layer);
  void update_layer(std::uint32_t layer, double dt);
  void sum_root_motion();
  void sort_signals();
  double fade_seconds(std::uint32_t layer, const Transition& transition, bool from_destination) const;

  struct Sweep;
  // Where a group's clock is at the end of an interval: on by its own pace, at `moved_to`, or where the layer that is
  // followed is.
  LoopTime clock_after(const Sweep& sweep, const PlayedState& playing, std::uint32_t group,
                       const double* moved_to) const;
  GroundMotion sweep_playing(const Sweep& interval, PlayedState& playing, const double* moved_to);
  GroundMotion sweep_leaf(const Sweep& sweep, const Leaf& leaf, float weight, const GroupClock& from,
                          const GroupClock& to);
  void tell_events(const Sweep& sweep, const Leaf& leaf, float weight, const LoopTime& from, const LoopTime& to,
                   double start, double rate);
};

template <class Visit>
void AnimatorLogic::each_candidate(std::uint32_t layer, const Visit& visit) const {
  const GraphLayer& states = states_of(layer);
  const PlayedLayer& at = run(layer);
  const PlayedState& here = at.fading ? at.next : at.current;
  const bool under_way = at.fading && at.transition != kNone;
  const Transition none{};
  const Transition& active = under_way ? states.transitions[at.transition] : none;
  // The order is that of the list the active transition is in; the destination's own are not in it.
  bool open = true;
  const auto offer = [&](std::uint32_t index, const PlayedState& source, bool from_destination) {
    const bool is_active = under_way && index == at.transition;
    if (is_active && !from_destination) open = open && !active.ordered;
    if (!is_active && (open || from_destination)) visit(index, source, from_destination);
  };
  const auto own = [&](const PlayedState& source, bool from_destination) {
    const Range& range = states.states[source.state].transitions;
    for (std::uint32_t i = 0; i < range.count; ++i) offer(range.first + i, source, from_destination);
  };
  const Range& any = states.machines[states.states[here.state].machine].any;
  for (std::uint32_t i = 0; i < any.count; ++i) offer(states.any_lists[any.first + i], here, false);
  if (!at.fading) return own(at.current, false);
  const Interruption by = active.interruption;
  if (by == Interruption::destination_then_source || by == Interruption::destination) own(at.next, true);
  if (by != Interruption::none && by != Interruption::destination) own(at.current, false);
  if (by == Interruption::source_then_destination) own(at.next, true);
}

}  // namespace throng::detail::animator
