// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>

#include "graph/graph_build.h"
#include "graph/shortest_decimal.h"
#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::animator {
namespace {

constexpr double kLongestFade = 1e6;  // seconds, or loops

class MachineBuilder {
 public:
  MachineBuilder(GraphBuilder& builder, GraphLayer& layer) : builder_(builder), layer_(layer) {}

  Result<void> build(const MachineDraft& source, const Place& place) {
    THRONG_CHECK(collect(source, place, kNone, "", 0));
    for (std::uint32_t i = 0; i < found_.size(); ++i) {
      THRONG_CHECK(link(i));
    }
    if (layer_.transitions.size() > kMaxTransitions) {
      return fail_at(place, "{} transitions; at most {} are possible", layer_.transitions.size(), kMaxTransitions);
    }
    return {};
  }

 private:
  struct Found {
    const MachineDraft* source = nullptr;
    Place place;
    std::string prefix;  // path and '/', or nothing
    std::uint32_t first_state = 0;
  };

  Result<void> check_name(const std::string& name, const std::string& path, const Place& place) const {
    const Place named = place.in("name");
    if (name.empty()) return fail_at(named, "it needs a name");
    if (name == "exit") return fail_at(named, "'exit' means the way out of a machine; use another name");
    if (name.find('/') != std::string::npos)
      return fail_at(named, "'{}' has a '/', which parts the names of a path", name);
    if (layer_.by_path.contains(path) || machines_.contains(path))
      return fail_at(named, "another one beside it is named '{}' already", name);
    return {};
  }

  // Numbers all states and machines, so that transitions can name any of them.
  Result<void> collect(const MachineDraft& source, const Place& place, std::uint32_t parent, const std::string& prefix,
                       std::size_t depth) {
    if (depth > kMaxDepth) return fail_at(place, "machines are nested deeper than {}", kMaxDepth);
    if (source.states.empty() && source.machines.empty()) return fail_at(place.in("states"), "a machine needs a state");
    const auto index = static_cast<std::uint32_t>(found_.size());
    found_.push_back({&source, place, prefix, static_cast<std::uint32_t>(layer_.states.size())});
    layer_.machines.push_back({.parent = parent});
    for (std::size_t i = 0; i < source.states.size(); ++i) {
      THRONG_CHECK(add_state(source.states[i], place.at("states", i), index, prefix));
    }
    for (std::size_t i = 0; i < source.machines.size(); ++i) {
      const MachineDraft& inner = source.machines[i];
      places_.push_back(place.at("machines", i));
      const Place& at = places_.back();
      THRONG_CHECK(check_name(inner.name, prefix + inner.name, at));
      machines_.emplace(prefix + inner.name, static_cast<std::uint32_t>(found_.size()));
      THRONG_CHECK(collect(inner, at, index, prefix + inner.name + "/", depth + 1));
    }
    return {};
  }

  Result<void> add_state(const StateDraft& source, const Place& place, std::uint32_t machine,
                         const std::string& prefix) {
    std::string path = prefix + source.name;
    THRONG_CHECK(check_name(source.name, path, place));
    if (layer_.states.size() == kMaxStates) return fail_at(place, "a layer has at most {} states", kMaxStates);
    if (!std::isfinite(source.speed)) return fail_at(place.in("speed"), "it is not finite");
    if (!std::isfinite(source.cycle_offset)) return fail_at(place.in("cycle_offset"), "it is not finite");
    THRONG_TRY(auto speed, builder_.real_parameter(source.speed_parameter, place.in("speed_parameter")));
    THRONG_TRY(auto time, builder_.real_parameter(source.time_parameter, place.in("time_parameter")));
    THRONG_TRY(auto motion, builder_.add_motion(source.motion, place.in("motion")));
    layer_.by_path.emplace(path, static_cast<std::uint32_t>(layer_.states.size()));
    layer_.states.push_back({.path = std::move(path),
                             .machine = machine,
                             .speed = plain(source.speed),
                             .speed_parameter = speed,
                             .time_parameter = time,
                             .cycle_offset = plain(source.cycle_offset)});
    layer_.follows_time_parameters |= time != kNone;
    layer_.motions.push_back(motion);
    return {};
  }

  Result<Target> find_target(std::string_view to, std::uint32_t machine, const Place& place) const {
    if (to == "exit") return Target{TargetKind::exit, machine};
    const bool from_top = to.starts_with('/');
    const std::string path = from_top ? std::string(to.substr(1)) : found_[machine].prefix + std::string(to);
    if (const auto state = layer_.by_path.find(path); state != layer_.by_path.end())
      return Target{TargetKind::state, state->second};
    if (const auto inner = machines_.find(path); inner != machines_.end())
      return Target{TargetKind::machine, inner->second};
    return fail_at(place, "no state or machine is at '{}'; {}", to, did_you_mean(path, all_paths()));
  }

  // Finds a machine's entry and initial state: they must lie inside it, so that entering always ends.
  Result<Target> find_inside(std::string_view to, std::uint32_t machine, const Place& place) const {
    if (to.empty() || to == "exit" || to.starts_with('/')) {
      return fail_at(place, "'{}' does not name a state or machine inside this one", to);
    }
    return find_target(to, machine, place);
  }

  // All paths as errors list them: absolute, the way they can always be written.
  std::vector<std::string> all_paths() const {
    std::vector<std::string> paths;
    for (const State& state : layer_.states) paths.push_back("/" + state.path);
    for (const auto& entry : machines_) paths.push_back("/" + entry.first);
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  static bool compares(ParameterType type, Comparison comparison) {
    switch (comparison) {
      case Comparison::greater:
      case Comparison::less:
        return type == ParameterType::real || type == ParameterType::integer;
      case Comparison::equal:
      case Comparison::not_equal:
        return type == ParameterType::integer;
      case Comparison::is_true:
      case Comparison::is_false:
        return type == ParameterType::boolean;
      case Comparison::triggered:
        return type == ParameterType::trigger;
    }
    return false;
  }

  Result<Range> add_conditions(const std::vector<ConditionDraft>& sources, const Place& place) {
    const Range range{static_cast<std::uint32_t>(layer_.conditions.size()), static_cast<std::uint32_t>(sources.size())};
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const ConditionDraft& source = sources[i];
      const Place at = place.at("conditions", i);
      const NameIndex& parameters = builder_.data.parameters;
      const auto found = parameters.find(source.parameter);
      if (found == parameters.end()) {
        std::vector<std::string> names;
        for (const ParameterDraft& other : builder_.draft.parameters) names.push_back(other.name);
        return fail_at(at, "no parameter is named '{}'; {}", source.parameter, did_you_mean(source.parameter, names));
      }
      if (!compares(builder_.data.parameter_types[found->second], source.comparison)) {
        return fail_at(at,
                       "'{}' cannot be compared like that: floats are greater or less, ints also equal or not_equal, "
                       "bools is true or false, triggers trigger",
                       source.parameter);
      }
      if (!std::isfinite(source.value)) return fail_at(at, "the value is not finite");
      layer_.conditions.push_back({found->second, source.comparison, source.value});
    }
    return range;
  }

  Result<void> check_numbers(const TransitionDraft& source, const Place& place) const {
    if (source.conditions.empty() && !source.exit_time)
      return fail_at(place, "a transition needs a condition or an exit time");
    if (source.exit_time && !(*source.exit_time >= 0.0f && std::isfinite(*source.exit_time))) {
      return fail_at(place.in("exit_time"), "{} is not possible; it is 0 or more", *source.exit_time);
    }
    if (!(source.duration >= 0.0f && static_cast<double>(source.duration) <= kLongestFade)) {
      return fail_at(place.in("duration"), "{} is not in 0 … {}", source.duration, kLongestFade);
    }
    if (!std::isfinite(source.offset)) return fail_at(place.in("offset"), "it is not finite");
    return {};
  }

  Result<void> add_transition(const TransitionDraft& source, const Place& place, std::uint32_t machine, bool from_any) {
    THRONG_CHECK(check_numbers(source, place));
    THRONG_TRY(auto target, find_target(source.to, machine, place.in("to")));
    THRONG_TRY(auto conditions, add_conditions(source.conditions, place));
    layer_.transitions.push_back({.conditions = conditions,
                                  .target = target,
                                  .has_exit_time = source.exit_time.has_value(),
                                  .exit_time = plain(source.exit_time.value_or(0.0f)),
                                  .duration = plain(source.duration),
                                  .normalised_duration = source.normalised_duration,
                                  .offset = plain(source.offset),
                                  .interruption = source.interruption,
                                  .ordered = source.ordered,
                                  .to_self = source.to_self || !from_any,
                                  .from_any = from_any});
    return {};
  }

  Result<Range> add_entry(const std::vector<RouteDraft>& sources, std::uint32_t machine, const Place& place) {
    const Range range{static_cast<std::uint32_t>(layer_.routes.size()), static_cast<std::uint32_t>(sources.size())};
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Place at = place.at("entry", i);
      THRONG_TRY(auto target, find_inside(sources[i].to, machine, at.in("to")));
      THRONG_TRY(auto conditions, add_conditions(sources[i].conditions, at));
      layer_.routes.push_back({conditions, target});
    }
    return range;
  }

  Result<Range> add_exit(const std::vector<RouteDraft>& sources, std::uint32_t machine, const Place& place) {
    const Range range{static_cast<std::uint32_t>(layer_.routes.size()), static_cast<std::uint32_t>(sources.size())};
    if (machine == 0 && !sources.empty()) {
      return fail_at(place.in("exit"), "the layer's own machine leads nowhere else; leaving it enters it anew");
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Place at = place.at("exit", i);
      THRONG_TRY(auto target, find_target(sources[i].to, layer_.machines[machine].parent, at.in("to")));
      THRONG_TRY(auto conditions, add_conditions(sources[i].conditions, at));
      layer_.routes.push_back({conditions, target});
    }
    return range;
  }

  Result<Target> find_initial(const MachineDraft& source, std::uint32_t machine, const Place& place) const {
    if (!source.initial.empty()) return find_inside(source.initial, machine, place.in("initial"));
    return find_inside(source.states.empty() ? source.machines.front().name : source.states.front().name, machine,
                       place);
  }

  Result<void> link(std::uint32_t index) {
    const MachineDraft& source = *found_[index].source;
    const Place& place = found_[index].place;
    THRONG_TRY(auto initial, find_initial(source, index, place));
    THRONG_TRY(auto entry, add_entry(source.entry, index, place));
    THRONG_TRY(auto exit, add_exit(source.exit, index, place));
    layer_.machines[index].initial = initial;
    layer_.machines[index].entry = entry;
    layer_.machines[index].exit = exit;
    THRONG_CHECK(link_any(index));
    for (std::size_t i = 0; i < source.states.size(); ++i) {
      const Place at = place.at("states", i);
      State& state = layer_.states[found_[index].first_state + i];
      state.transitions.first = static_cast<std::uint32_t>(layer_.transitions.size());
      state.transitions.count = static_cast<std::uint32_t>(source.states[i].transitions.size());
      for (std::size_t k = 0; k < source.states[i].transitions.size(); ++k) {
        if (auto added = add_transition(source.states[i].transitions[k], at.at("transitions", k), index, false); !added)
          return added;
      }
    }
    return {};
  }

  Result<void> link_any(std::uint32_t index) {
    const MachineDraft& source = *found_[index].source;
    const std::uint32_t parent = layer_.machines[index].parent;
    const Range outer = parent == kNone ? Range{} : layer_.machines[parent].any;
    Range& own = layer_.machines[index].any;
    if (source.any.empty()) {
      own = outer;
      return {};
    }
    // Every machine's list has those of the machines around it too.
    if (layer_.any_lists.size() + outer.count + source.any.size() > kMaxTransitions)
      return fail_at(
          found_[index].place.in("any"),
          "more transitions from any state, counted in every machine they reach, than the {} that are possible",
          kMaxTransitions);
    own.first = static_cast<std::uint32_t>(layer_.any_lists.size());
    own.count = outer.count + static_cast<std::uint32_t>(source.any.size());
    for (std::uint32_t i = 0; i < outer.count; ++i) {
      const std::uint32_t transition = layer_.any_lists[outer.first + i];
      layer_.any_lists.push_back(transition);
    }
    for (std::size_t i = 0; i < source.any.size(); ++i) {
      layer_.any_lists.push_back(static_cast<std::uint32_t>(layer_.transitions.size()));
      if (auto added = add_transition(source.any[i], found_[index].place.at("any", i), index, true); !added)
        return added;
    }
    return {};
  }

  GraphBuilder& builder_;
  GraphLayer& layer_;
  std::vector<Found> found_;
  std::deque<Place> places_;  // stable: children refer to them
  NameIndex machines_;
};

}  // namespace

Result<void> add_machine(GraphBuilder& builder, const MachineDraft& source, const Place& place, GraphLayer& layer) {
  return MachineBuilder(builder, layer).build(source, place);
}

}  // namespace throng::detail::animator
