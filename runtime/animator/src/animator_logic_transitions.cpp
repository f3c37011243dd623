// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "animator_logic.h"

namespace throng::detail::animator {

bool AnimatorLogic::holds(const Condition& condition) const {
  const double value = animator.parameters[condition.parameter];
  switch (condition.comparison) {
    case Comparison::greater:
      return value > condition.value;
    case Comparison::less:
      return value < condition.value;
    case Comparison::equal:
      return value == condition.value;
    case Comparison::not_equal:
      return value != condition.value;
    case Comparison::is_false:
      return value == 0.0;
    case Comparison::is_true:
    case Comparison::triggered:
      return value != 0.0;
  }
  return false;
}

bool AnimatorLogic::all_hold(const GraphLayer& layer, const Range& conditions) const {
  const auto all = std::span(layer.conditions).subspan(conditions.first, conditions.count);
  return std::all_of(all.begin(), all.end(), [&](const Condition& condition) { return holds(condition); });
}

double AnimatorLogic::until_exit(std::uint32_t layer, const PlayedState& source, const Transition& transition) const {
  if (!transition.has_exit_time) return 0.0;
  const GroupClock& clock = clocks(layer, source)[0];
  const double time = clock.loops + clock.phase;
  const double done = source.speed < 0.0 ? 1.0 - time : time;
  const StateMotion* motion = motion_of(layer, source);
  const bool runs = state_of(layer, source).time_parameter == kNone;
  const bool every_loop = transition.exit_time < 1.0 && motion != nullptr && motion->loops && runs;
  const double loop = every_loop ? std::ceil(done - transition.exit_time - kSameTime) : 0.0;
  const double gap = loop + transition.exit_time - done;
  if (gap <= kSameTime) return 0.0;
  return source.speed == 0.0 || source.frozen ? kNever : gap * clock.length / std::abs(source.speed);
}

std::uint32_t AnimatorLogic::resolve(const GraphLayer& layer, Target target, bool take) {
  std::array<Range, 2 * kMaxDepth + 4> passed{};
  std::size_t count = 0;
  // The first route whose conditions hold. Ways out lead up and entries down, so there is an end, within twice the
  // depth.
  const auto choose = [&](const Range& routes, const Target& otherwise) {
    for (std::uint32_t i = 0; i < routes.count; ++i) {
      const Route& route = layer.routes[routes.first + i];
      if (!all_hold(layer, route.conditions)) continue;
      if (count < passed.size()) passed[count++] = route.conditions;
      return route.target;
    }
    return otherwise;
  };
  while (target.kind != TargetKind::state) {
    const Machine& machine = layer.machines[target.index];
    if (target.kind == TargetKind::machine) {
      target = choose(machine.entry, machine.initial);
    } else if (machine.parent == kNone) {
      target = {TargetKind::machine, 0};
    } else {
      target = choose(machine.exit, {TargetKind::machine, machine.parent});
    }
  }
  if (!take) return target.index;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Condition& condition : std::span(layer.conditions).subspan(passed[i].first, passed[i].count)) {
      if (condition.comparison == Comparison::triggered) animator.parameters[condition.parameter] = 0.0;
    }
  }
  return target.index;
}

bool AnimatorLogic::may_go(std::uint32_t layer, const Transition& transition) {
  if (transition.to_self) return true;
  const PlayedLayer& at = run(layer);
  return resolve(states_of(layer), transition.target, false) != (at.fading ? at.next : at.current).state;
}

AnimatorLogic::Ready AnimatorLogic::find_ready(std::uint32_t layer, double left) {
  const GraphLayer& states = states_of(layer);
  Ready best;
  each_candidate(layer, [&](std::uint32_t index, const PlayedState& source, bool from_destination) {
    const Transition& transition = states.transitions[index];
    if (!all_hold(states, transition.conditions)) return;
    const double after = until_exit(layer, source, transition);
    if (after <= left && after < best.after && may_go(layer, transition)) best = {index, after, from_destination};
  });
  return best;
}

double AnimatorLogic::fade_seconds(std::uint32_t layer, const Transition& transition, bool from_destination) const {
  if (!transition.normalised_duration) return transition.duration;
  const PlayedLayer& at = run(layer);
  const PlayedState& source = from_destination ? at.next : at.current;
  const double speed = std::abs(source.speed);
  return transition.duration * clocks(layer, source)[0].length / (speed > 0.0 ? speed : 1.0);
}

void AnimatorLogic::fire(std::uint32_t layer, const Ready& ready) {
  const GraphLayer& states = states_of(layer);
  const Transition& transition = states.transitions[ready.transition];
  const double seconds = fade_seconds(layer, transition, ready.from_destination);
  const std::uint32_t destination = resolve(states, transition.target, true);
  for (const Condition& condition :
       std::span(states.conditions).subspan(transition.conditions.first, transition.conditions.count)) {
    if (condition.comparison == Comparison::triggered) animator.parameters[condition.parameter] = 0.0;
  }
  run(layer).transition = run(layer).last_fired = ready.transition;
  start(layer, destination, seconds, beginning(layer, destination, transition.offset), ready.from_destination);
}

}  // namespace throng::detail::animator
