// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "graph/graph_data.h"
#include "graph/graph_words.h"
#include "graph/json_fields.h"
#include "throng/animator/graph_json.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::animator;

namespace {

template <class T, class Read>
ReadField into_each(std::vector<T>& list, const Read& read) {
  return into_list(
      [&list, read](const Json& value, const Place& place) { return read(value, place, list.emplace_back()); });
}

Result<void> read_parameter(const Json& value, const Place& place, ParameterDraft& out) {
  const ReadField initial = [&out](const Json& number, const Place& at) -> Result<void> {
    if (!number.is_boolean()) return into(out.initial)(number, at);
    out.initial = number.get<bool>() ? 1.0 : 0.0;
    return {};
  };
  return read_object(value, place,
                     {{"name", into(out.name)}, {"type", into(out.type, kParameterTypes)}, {"initial", initial}});
}

Result<void> read_place(const Json& value, const Place& place, glm::vec2& out) {
  if (value.is_number()) return into(out.x)(value, place);
  if (!value.is_array() || value.size() != 2) return fail_at(place, "it is neither a number nor two");
  THRONG_CHECK(into(out.x)(value[0], place));
  return into(out.y)(value[1], place);
}

Result<void> read_motion(const Json& value, const Place& place, MotionDraft& out, std::size_t depth);

// What a file says by its keys: a clip, or a tree of some kind, not both.
Result<void> settle_kind(const Json& value, const Place& place, MotionDraft& out) {
  if (value.contains("clip") && value.contains("blend"))
    return fail_at(place, "a motion is a clip or a tree, not both");
  if (!value.contains("clip") && !value.contains("blend")) return fail_at(place, "a motion needs 'clip' or 'blend'");
  if (value.contains("clip")) out.kind = MotionKind::clip;
  for (const char* key : {"x", "y", "children"}) {
    if (value.contains("clip") && value.contains(key)) return fail_at(place.in(key), "a clip has none; trees do");
  }
  if (value.contains("blend") && value.contains("loops"))
    return fail_at(place.in("loops"), "a tree has none; its clips do");
  return {};
}

Result<void> read_motion(const Json& value, const Place& place, MotionDraft& out, std::size_t depth) {
  if (depth > kMaxDepth) return fail_at(place, "trees are nested deeper than {}", kMaxDepth);
  if (value.is_string()) {
    out.kind = MotionKind::clip;
    return into(out.clip)(value, place);
  }
  const ReadField blend = [&out](const Json& word, const Place& at) -> Result<void> {
    std::uint8_t index = 0;
    THRONG_CHECK(into(index, kBlendKinds)(word, at));
    out.kind = static_cast<MotionKind>(static_cast<std::uint8_t>(MotionKind::blend_1d) + index);
    return {};
  };
  const auto child = [depth](const Json& one, const Place& at, MotionDraft& motion) {
    return read_motion(one, at, motion, depth + 1);
  };
  if (auto read =
          read_object(value, place,
                      {{"clip", into(out.clip)},
                       {"loops", into(out.loops)},
                       {"blend", blend},
                       {"x", into(out.x)},
                       {"y", into(out.y)},
                       {"children", into_each(out.children, child)},
                       {"at", [&out](const Json& at, const Place& where) { return read_place(at, where, out.at); }},
                       {"weight", into(out.weight)},
                       {"time_scale", into(out.time_scale)},
                       {"synchronised", into(out.synchronised)}});
      !read) {
    return read;
  }
  return settle_kind(value, place, out);
}

Result<void> read_condition(const Json& value, const Place& place, ConditionDraft& out) {
  int compared = 0;
  const auto compare = [&](Comparison comparison) -> ReadField {
    return [&out, &compared, comparison](const Json& number, const Place& at) {
      ++compared;
      out.comparison = comparison;
      return into(out.value)(number, at);
    };
  };
  const ReadField is = [&](const Json& flag, const Place& at) -> Result<void> {
    ++compared;
    if (!flag.is_boolean()) return fail_at(at, "it is {}, not true or false", flag.type_name());
    out.comparison = flag.get<bool>() ? Comparison::is_true : Comparison::is_false;
    return {};
  };
  const ReadField trigger = [&](const Json& name, const Place& at) {
    ++compared;
    out.comparison = Comparison::triggered;
    return into(out.parameter)(name, at);
  };
  if (auto read = read_object(value, place,
                              {{"parameter", into(out.parameter)},
                               {"greater", compare(Comparison::greater)},
                               {"less", compare(Comparison::less)},
                               {"equal", compare(Comparison::equal)},
                               {"not_equal", compare(Comparison::not_equal)},
                               {"is", is},
                               {"trigger", trigger}});
      !read) {
    return read;
  }
  if (compared != 1) return fail_at(place, "a condition is one of greater, less, equal, not_equal, is, or trigger");
  if (out.comparison == Comparison::triggered && value.contains("parameter")) {
    return fail_at(place, "'trigger' names the parameter already");
  }
  return {};
}

Result<void> read_transition(const Json& value, const Place& place, TransitionDraft& out) {
  return read_object(value, place,
                     {{"to", into(out.to)},
                      {"conditions", into_each(out.conditions, read_condition)},
                      {"exit_time", into(out.exit_time)},
                      {"duration", into(out.duration)},
                      {"normalised_duration", into(out.normalised_duration)},
                      {"offset", into(out.offset)},
                      {"interruption", into(out.interruption, kInterruptions)},
                      {"ordered", into(out.ordered)},
                      {"to_self", into(out.to_self)}});
}

Result<void> read_route(const Json& value, const Place& place, RouteDraft& out) {
  return read_object(value, place, {{"to", into(out.to)}, {"conditions", into_each(out.conditions, read_condition)}});
}

ReadField into_motion(MotionDraft& out) {
  return [&out](const Json& value, const Place& place) { return read_motion(value, place, out, 0); };
}

Result<void> read_state(const Json& value, const Place& place, StateDraft& out) {
  return read_object(value, place,
                     {{"name", into(out.name)},
                      {"motion", into_motion(out.motion)},
                      {"speed", into(out.speed)},
                      {"speed_parameter", into(out.speed_parameter)},
                      {"time_parameter", into(out.time_parameter)},
                      {"cycle_offset", into(out.cycle_offset)},
                      {"transitions", into_each(out.transitions, read_transition)}});
}

ReadField into_machines(std::vector<MachineDraft>& list, std::size_t depth);

Result<void> read_machine(const Json& value, const Place& place, MachineDraft& out, std::size_t depth) {
  if (depth > kMaxDepth) return fail_at(place, "machines are nested deeper than {}", kMaxDepth);
  return read_object(value, place,
                     {{"name", into(out.name)},
                      {"initial", into(out.initial)},
                      {"entry", into_each(out.entry, read_route)},
                      {"exit", into_each(out.exit, read_route)},
                      {"any", into_each(out.any, read_transition)},
                      {"states", into_each(out.states, read_state)},
                      {"machines", into_machines(out.machines, depth)}});
}

ReadField into_machines(std::vector<MachineDraft>& list, std::size_t depth) {
  return into_each(list, [depth](const Json& value, const Place& place, MachineDraft& out) {
    return read_machine(value, place, out, depth + 1);
  });
}

Result<void> read_mask(const Json& value, const Place& place, MaskDraft& out) {
  return read_object(value, place,
                     {{"bone", into(out.bone)},
                      {"weight", into(out.weight)},
                      {"descendants", into(out.descendants)},
                      {"falloff", into(out.falloff)}});
}

Result<void> read_layer_motion(const Json& value, const Place& place, LayerMotionDraft& out) {
  return read_object(value, place, {{"state", into(out.state)}, {"motion", into_motion(out.motion)}});
}

Result<void> read_layer(const Json& value, const Place& place, LayerDraft& out) {
  MachineDraft& machine = out.machine;
  return read_object(value, place,
                     {{"name", into(out.name)},
                      {"kind", into(out.kind, kLayerKinds)},
                      {"weight", into(out.weight)},
                      {"mask", into_each(out.mask, read_mask)},
                      {"reference_clip", into(out.reference_clip)},
                      {"reference_time", into(out.reference_time)},
                      {"synchronised_with", into(out.synchronised_with)},
                      {"own_timing", into(out.own_timing)},
                      {"motions", into_each(out.motions, read_layer_motion)},
                      {"initial", into(machine.initial)},
                      {"entry", into_each(machine.entry, read_route)},
                      {"any", into_each(machine.any, read_transition)},
                      {"states", into_each(machine.states, read_state)},
                      {"machines", into_machines(machine.machines, 0)}});
}

// What the library says, without its name, its number and the states of its parser, which tell an author nothing:
// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value - invalid
// literal".
std::string not_valid(std::string_view message) {
  constexpr std::string_view kPlace = " at ", kReason = " - ";
  const std::size_t place = message.find(kPlace);
  const std::size_t end = place == std::string_view::npos ? place : message.find(": ", place);
  if (end == std::string_view::npos) return fmt::format("not valid JSON: {}", message);
  const std::size_t reason = message.find(kReason, end);
  const std::size_t begin = reason == std::string_view::npos ? end + 2 : reason + kReason.size();
  return fmt::format("not valid JSON{}: {}", message.substr(place, end - place), message.substr(begin));
}

Result<Json> parse(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  if (text.empty()) return fail("the file is empty; docs/animator.md shows what a graph is");
  try {
    Json value = Json::parse(text.begin(), text.end(), watch);
    if (!twice.empty()) return fail("an object has '{}' twice", twice);
    return value;
  } catch (const Json::exception& refused) {
    return fail("{}", not_valid(refused.what()));
  }
}

}  // namespace

Result<GraphDraft> parse_graph(std::string_view json, std::string_view file_name) {
  auto value = parse(json);
  if (!value) return fail(with_context(file_name, std::move(value).error()));
  GraphDraft draft;
  const ReadField ignore = [](const Json&, const Place&) -> Result<void> { return {}; };
  auto read = read_object(*value, Place{},
                          {{"$schema", ignore},
                           {"name", into(draft.name)},
                           {"parameters", into_each(draft.parameters, read_parameter)},
                           {"layers", into_each(draft.layers, read_layer)}});
  if (!read) return fail(with_context(file_name, std::move(read).error()));
  return draft;
}

}  // namespace throng
