// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/explain.h"

#include <algorithm>

#include "animator_logic.h"

namespace throng {

using namespace detail::animator;

namespace {

std::string_view sign_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::greater:
      return ">";
    case Comparison::less:
      return "<";
    case Comparison::equal:
      return "=";
    case Comparison::not_equal:
      return "≠";
    default:
      return "";
  }
}

std::string reason(const std::string& name, const Condition& condition, double value) {
  if (condition.comparison == Comparison::triggered) return fmt::format("trigger {}: it is not set", name);
  if (condition.comparison == Comparison::is_true) return fmt::format("{}: it is false", name);
  if (condition.comparison == Comparison::is_false) return fmt::format("not {}: it is true", name);
  return fmt::format("{} {} {:.6g}: it is {:.6g}", name, sign_of(condition.comparison), condition.value, value);
}

std::string_view word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::fired:
      return "fired";
    case Verdict::ready:
      return "ready";
    case Verdict::waiting:
      return "waits";
    case Verdict::not_allowed:
      return "not now";
  }
  return "";
}

}  // namespace

// Works on a copy of the animator, for it asks the very code that decides.
struct AnimatorExplainer {
  AnimatorLogic& logic;
  const Animator& animator;
  std::uint32_t layer = 0;
  const GraphLayer& states;
  Explanation& out;

  void add(std::uint32_t index, const std::string& from, const PlayedState& source, bool allowed, bool fired) const {
    const Transition& transition = states.transitions[index];
    ExplainedTransition line{.from = transition.from_any ? "any" : from,
                             .to = states.states[logic.resolve(states, transition.target, false)].path,
                             .verdict = Verdict::waiting,
                             .reasons = {}};
    for (const Condition& condition :
         std::span(states.conditions).subspan(transition.conditions.first, transition.conditions.count)) {
      if (logic.holds(condition)) continue;
      const std::string& name = animator.graph().draft().parameters[condition.parameter].name;
      line.reasons.push_back(reason(name, condition, animator.parameter(condition.parameter)));
    }
    if (logic.until_exit(layer, source, transition) > 0.0) {
      const auto& clock = logic.clocks(layer, source)[0];
      line.reasons.push_back(
          fmt::format("exit time {:.6g}: it is at {:.3f}", transition.exit_time, clock.loops + clock.phase));
    }
    if (!logic.may_go(layer, transition)) line.reasons.push_back("that state plays already");
    if (line.reasons.empty()) line.verdict = Verdict::ready;
    if (!allowed) {
      line.verdict = Verdict::not_allowed;
      line.reasons.insert(line.reasons.begin(), "a transition is under way that it may not break off");
    }
    if (fired) line.verdict = Verdict::fired;
    if (fired) line.reasons.clear();
    out.transitions.push_back(std::move(line));
  }

  // The state a transition is listed in: what fired may be over, and another state play. From any: nothing.
  std::string owner_of(std::uint32_t transition) const {
    const auto owns = [&](const State& state) {
      return transition >= state.transitions.first && transition < state.transitions.first + state.transitions.count;
    };
    const auto owner = std::find_if(states.states.begin(), states.states.end(), owns);
    return owner == states.states.end() ? std::string() : owner->path;
  }

  // Adds the transitions that were tried, in order, then those of playing states that may not be tried now.
  void run(std::uint32_t last_fired) const {
    std::vector<std::uint32_t> tried;
    const auto& at = logic.run(layer);
    if (last_fired != kNone) {
      add(last_fired, owner_of(last_fired), at.current, true, true);
      tried.push_back(last_fired);
    }
    logic.each_candidate(layer, [&](std::uint32_t index, const PlayedState& source, bool) {
      if (std::find(tried.begin(), tried.end(), index) != tried.end()) return;
      tried.push_back(index);
      add(index, states.states[source.state].path, source, true, false);
    });
    const auto rest = [&](const PlayedState& source) {
      const Range& own = states.states[source.state].transitions;
      for (std::uint32_t i = own.first; i < own.first + own.count; ++i) {
        if (std::find(tried.begin(), tried.end(), i) != tried.end()) continue;
        tried.push_back(i);
        add(i, states.states[source.state].path, source, false, false);
      }
    };
    rest(at.current);
    if (at.fading) rest(at.next);
  }
};

Explanation Animator::explain(std::uint32_t layer) const {
  Explanation out;
  if (layer >= state_->layers.size()) return out;
  const GraphData& data = data_of(graph());
  out.layer = data.layers[layer].name;
  out.at = state(layer);
  out.state = graph().state_path(out.at.state, layer);
  if (out.at.next) out.next = graph().state_path(*out.at.next, layer);
  for (const PlayingClip& clip : clips(layer))
    out.clips.push_back({graph().rig()->clips()[clip.clip.value].name, clip});
  const std::uint32_t master = data.layers[layer].master;
  out.held_back = state_->layers[master].held_back;
  AnimatorState copy(*state_);
  AnimatorLogic logic(copy);
  AnimatorExplainer{logic, *this, master, data.layers[master], out}.run(state_->layers[master].last_fired);
  return out;
}

std::string Explanation::text() const {
  std::string lines = fmt::format("layer {}: {} at {:.3f}", layer, state, at.normalised_time);
  if (at.frozen) lines += " (a pose that stands still)";
  if (!next.empty())
    lines += fmt::format(" → {} at {:.3f}, {:.0f} % there", next, at.next_normalised_time, 100.0 * at.progress);
  lines += '\n';
  for (const ExplainedClip& clip : clips) {
    lines += fmt::format("  {:3.0f} %  {} at {:.3f} s, speed {:.2f}\n", 100.0 * clip.playing.weight, clip.name,
                         clip.playing.seconds, clip.playing.speed);
  }
  for (const ExplainedTransition& transition : transitions) {
    lines += fmt::format("  {} → {}: {}", transition.from, transition.to, word_for(transition.verdict));
    for (std::size_t i = 0; i < transition.reasons.size(); ++i) lines += (i == 0 ? " (" : "; ") + transition.reasons[i];
    lines += transition.reasons.empty() ? "\n" : ")\n";
  }
  if (held_back) lines += "  more happened in one step than is done in one; the rest waits\n";
  return lines;
}

}  // namespace throng
