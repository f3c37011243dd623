// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <span>

#include "graph/graph_words.h"
#include "graph/shortest_decimal.h"
#include "throng/animator/graph_json.h"

namespace throng {

using namespace detail::animator;

namespace {

using Out = nlohmann::ordered_json;

template <class Enum>
std::string word(Enum value, std::span<const std::string_view> words) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

void put(Out& out, const char* key, const std::string& value) {
  if (!value.empty()) out[key] = value;
}
void put(Out& out, const char* key, float value, float usual) {
  if (value != usual) out[key] = plain(value);
}
void put(Out& out, const char* key, bool value, bool usual) {
  if (value != usual) out[key] = value;
}
template <class T, class Write>
void put_list(Out& out, const char* key, const std::vector<T>& list, const Write& write) {
  if (list.empty()) return;
  Out& written = out[key] = Out::array();
  for (const T& one : list) written.push_back(write(one));
}

Out write(const ParameterDraft& parameter) {
  Out out = Out::object();
  put(out, "name", parameter.name);
  out["type"] = word(parameter.type, kParameterTypes);
  if (parameter.initial == 0.0) return out;
  if (parameter.type == ParameterType::boolean || parameter.type == ParameterType::trigger) {
    out["initial"] = true;
  } else {
    out["initial"] = parameter.initial;
  }
  return out;
}

Out write_motion(const MotionDraft& motion) {
  Out out = Out::object();
  if (motion.kind == MotionKind::clip) {
    out["clip"] = motion.clip;
  } else {
    const auto kind = static_cast<std::uint8_t>(static_cast<std::uint8_t>(motion.kind) -
                                                static_cast<std::uint8_t>(MotionKind::blend_1d));
    out["blend"] = word(kind, kBlendKinds);
  }
  if (motion.loops) out["loops"] = *motion.loops;
  put(out, "x", motion.x);
  put(out, "y", motion.y);
  if (motion.at.y != 0.0f) {
    out["at"] = {plain(motion.at.x), plain(motion.at.y)};
  } else if (motion.at.x != 0.0f) {
    out["at"] = plain(motion.at.x);
  }
  put(out, "weight", motion.weight);
  put(out, "time_scale", motion.time_scale, 1.0f);
  put(out, "synchronised", motion.synchronised, true);
  put_list(out, "children", motion.children, write_motion);
  return out;
}

Out write_condition(const ConditionDraft& condition) {
  if (condition.comparison == Comparison::triggered) return {{"trigger", condition.parameter}};
  Out out = {{"parameter", condition.parameter}};
  if (condition.comparison == Comparison::is_true || condition.comparison == Comparison::is_false) {
    out["is"] = condition.comparison == Comparison::is_true;
    return out;
  }
  out[word(condition.comparison, kComparisons)] = condition.value;
  return out;
}

Out write_transition(const TransitionDraft& transition) {
  const TransitionDraft usual;
  Out out = Out::object();
  put(out, "to", transition.to);
  put_list(out, "conditions", transition.conditions, write_condition);
  if (transition.exit_time) out["exit_time"] = plain(*transition.exit_time);
  put(out, "duration", transition.duration, usual.duration);
  put(out, "normalised_duration", transition.normalised_duration, false);
  put(out, "offset", transition.offset, 0.0f);
  if (transition.interruption != Interruption::none)
    out["interruption"] = word(transition.interruption, kInterruptions);
  put(out, "ordered", transition.ordered, usual.ordered);
  put(out, "to_self", transition.to_self, usual.to_self);
  return out;
}

Out write_route(const RouteDraft& route) {
  Out out = {{"to", route.to}};
  put_list(out, "conditions", route.conditions, write_condition);
  return out;
}

Out write_state(const StateDraft& state) {
  Out out = Out::object();
  put(out, "name", state.name);
  if (state.motion.kind != MotionKind::none) out["motion"] = write_motion(state.motion);
  put(out, "speed", state.speed, 1.0f);
  put(out, "speed_parameter", state.speed_parameter);
  put(out, "time_parameter", state.time_parameter);
  put(out, "cycle_offset", state.cycle_offset, 0.0f);
  put_list(out, "transitions", state.transitions, write_transition);
  return out;
}

void write_machine_into(Out& out, const MachineDraft& machine);

Out write_machine(const MachineDraft& machine) {
  Out out = Out::object();
  put(out, "name", machine.name);
  put_list(out, "exit", machine.exit, write_route);
  write_machine_into(out, machine);
  return out;
}

void write_machine_into(Out& out, const MachineDraft& machine) {
  put(out, "initial", machine.initial);
  put_list(out, "entry", machine.entry, write_route);
  put_list(out, "any", machine.any, write_transition);
  put_list(out, "states", machine.states, write_state);
  put_list(out, "machines", machine.machines, write_machine);
}

Out write_mask(const MaskDraft& entry) {
  Out out = {{"bone", entry.bone}};
  put(out, "weight", entry.weight, 1.0f);
  put(out, "descendants", entry.descendants, true);
  if (entry.falloff != 0) out["falloff"] = entry.falloff;
  return out;
}

Out write_layer_motion(const LayerMotionDraft& entry) {
  Out out = {{"state", entry.state}};
  if (entry.motion.kind != MotionKind::none) out["motion"] = write_motion(entry.motion);
  return out;
}

Out write_layer(const LayerDraft& layer) {
  Out out = Out::object();
  put(out, "name", layer.name);
  if (layer.kind != LayerKind::override) out["kind"] = word(layer.kind, kLayerKinds);
  put(out, "weight", layer.weight, 1.0f);
  put_list(out, "mask", layer.mask, write_mask);
  put(out, "reference_clip", layer.reference_clip);
  put(out, "reference_time", layer.reference_time, 0.0f);
  put(out, "synchronised_with", layer.synchronised_with);
  put(out, "own_timing", layer.own_timing, false);
  put_list(out, "motions", layer.motions, write_layer_motion);
  write_machine_into(out, layer.machine);
  return out;
}

}  // namespace

std::string to_json(const GraphDraft& draft) {
  Out out = Out::object();
  put(out, "name", draft.name);
  put_list(out, "parameters", draft.parameters, [](const ParameterDraft& parameter) { return write(parameter); });
  put_list(out, "layers", draft.layers, write_layer);
  // Names that are not UTF-8 are written as well as can be: nothing here may throw.
  return out.dump(2, ' ', false, Out::error_handler_t::replace) + "\n";
}

}  // namespace throng
