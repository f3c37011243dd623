// SPDX-License-Identifier: Apache-2.0
#include "graph_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "compiled_rig.h"

namespace throng::stage {
namespace {

BoneTrack slide(std::uint32_t bone, std::vector<float> times, std::vector<glm::vec3> places) {
  BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
  track.translation = {Interpolation::linear, std::move(times), std::move(places)};
  return track;
}

Clip clip(std::string name, double length, bool loops, std::vector<BoneTrack> bones, std::vector<Event> events = {}) {
  Clip made;
  made.name = std::move(name);
  made.end = length;
  made.loops = loops;
  made.bones = std::move(bones);
  made.events = std::move(events);
  return made;
}

BoneTrack stands(float x, float length) { return slide(1, {0.0f, length}, {{x, 1, 0}, {x, 1, 0}}); }

Clip turn() {
  BoneTrack root = slide(0, {0.0f, 1.0f}, {{0, 0, 0}, {0, 0, 1}});
  const float half = std::sqrt(0.5f);
  root.rotation = {Interpolation::linear, {0.0f, 1.0f}, {glm::quat(1, 0, 0, 0), glm::quat(half, 0, half, 0)}};
  return clip("turn", 1.0, true, {root, stands(0, 1)});
}

Model make() {
  ModelDraft draft;
  draft.name = "stick";
  draft.bones = {{"root", std::nullopt, {}},
                 {"spine", 0u, {.translation = {0, 1, 0}}},
                 {"arm", 1u, {.translation = {0, 1, 0}}},
                 {"hand", 2u, {.translation = {0, 1, 0}}},
                 {"leg", 0u, {.translation = {0.5, 0, 0}}}};
  draft.bindings = {{1, glm::dmat4(1.0)}, {3, glm::dmat4(1.0)}};
  draft.clips = {
      clip("idle", 1, true, {stands(0, 1)}, {{0.25, "breathe"}}),
      clip("walk", 1, true, {slide(0, {0, 1}, {{0, 0, 0}, {0, 0, 2}}), stands(1, 1)},
           {{0.0, "left"}, {0.5, "right"}, {1.0, "wrap"}}),
      clip("run", 0.5, true, {slide(0, {0, 0.5}, {{0, 0, 0}, {0, 0, 3}}), stands(2, 0.5)}, {{0.25, "step"}}),
      turn(),
      clip("jump", 1, false, {slide(1, {0, 1}, {{0, 1, 0}, {8, 1, 0}})}, {{0.2, "off"}, {1.0, "land"}}),
      clip("wave", 2, true, {slide(2, {0, 2}, {{0, 4, 0}, {0, 4, 0}})}),
      clip("nod", 1, true, {slide(1, {0, 0.5, 1}, {{3, 1, 0}, {5, 1, 0}, {3, 1, 0}})}),
      clip("pose", 0, false, {slide(1, {0}, {{-5, 1, 0}})}),
  };
  return build_model(draft).value();
}

}  // namespace

const Model& model() {
  static const Model made = make();
  return made;
}

std::shared_ptr<const Rig> rig() {
  static const std::shared_ptr<const Rig> made = test::compiled_rig(model(), {.root_bone = "root"}).value();
  return made;
}

Result<std::shared_ptr<const AnimatorGraph>> try_graph(std::string_view json) {
  std::string text(json);
  std::replace(text.begin(), text.end(), '\'', '"');
  return parse_graph(text, "graph.json").and_then([](GraphDraft draft) {
    return build_graph(std::move(draft), rig());
  });
}

std::shared_ptr<const AnimatorGraph> graph(std::string_view json) {
  auto made = try_graph(json);
  if (!made) {
    ADD_FAILURE() << made.error().message;
    std::abort();
  }
  return *made;
}

std::string base_layer(std::string_view states, std::string_view more) {
  return fmt::format(R"({{'parameters': [
    {{'name': 'speed', 'type': 'float'}}, {{'name': 'aim', 'type': 'float'}}, {{'name': 'count', 'type': 'int'}},
    {{'name': 'on', 'type': 'bool'}}, {{'name': 'go', 'type': 'trigger'}}, {{'name': 'stop', 'type': 'trigger'}}],
    'layers': [{{'name': 'base', 'states': {} {}}}]}})",
                     states, more);
}

std::string place(const Animator& animator, std::uint32_t layer) {
  const LayerState at = animator.state(layer);
  const std::string from = animator.graph().state_path(at.state, layer);
  return at.next ? from + (at.frozen ? "~" : ">") + animator.graph().state_path(*at.next, layer) : from;
}

void set(Animator& animator, std::string_view parameters) {
  std::istringstream words{std::string(parameters)};
  for (std::string word; words >> word;) {
    const std::size_t at = word.find_first_of("=!?");
    const std::string name = word.substr(0, at);
    const std::uint32_t id = animator.graph().find_parameter(name).value();
    const ParameterType type = animator.graph().draft().parameters[id].type;
    if (word[at] == '!') {
      ASSERT_TRUE(animator.set_trigger(id));
    } else if (word[at] == '?') {
      ASSERT_TRUE(animator.reset_trigger(id));
    } else if (type == ParameterType::real) {
      ASSERT_TRUE(animator.set_float(id, std::stof(word.substr(at + 1))));
    } else if (type == ParameterType::integer) {
      ASSERT_TRUE(animator.set_int(id, std::stoi(word.substr(at + 1))));
    } else {
      ASSERT_TRUE(animator.set_bool(id, word.substr(at + 1) == "1"));
    }
  }
}

glm::vec3 local_position(const Animator& animator, std::string_view bone) {
  return local_of(animator.locals(), animator.graph().rig()->find_bone(bone).value()).translation;
}

std::string told(const Animator& animator, bool events, bool changes) {
  std::string all;
  for (const AnimatorSignal& signal : animator.signals()) {
    std::string word;
    if (signal.kind == SignalKind::event && events)
      word = animator.graph().rig()->clips()[signal.clip.value].events[signal.event].name;
    if (signal.kind == SignalKind::enter && changes)
      word = "+" + animator.graph().state_path(signal.state, signal.layer);
    if (signal.kind == SignalKind::exit && changes)
      word = "-" + animator.graph().state_path(signal.state, signal.layer);
    if (word.empty()) continue;
    if (!all.empty()) all += " ";
    all += word;
  }
  return all;
}

}  // namespace throng::stage
