// SPDX-License-Identifier: Apache-2.0
#include "throng/animator/animator.h"

#include <algorithm>
#include <cmath>

#include "animator_logic.h"
#include "animator_poser.h"
#include "animator_view.h"
#include "throng/animator/ik.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::animator;

namespace {

// Enough of them that handing out the work costs little, few enough that no thread waits for the last.
constexpr std::size_t kAtOnce = 32;

template <class Act>
void in_parallel(std::span<Animator> animators, Executor& executor, const Act& act) {
  executor.run((animators.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
    const std::size_t first = part * kAtOnce;
    for (Animator& animator : animators.subspan(first, std::min(kAtOnce, animators.size() - first))) act(animator);
  });
}

// Asks for what an update and the pose after it read and write, so that it comes together, and while the update goes
// on: an animator among thousands finds nothing of its own in the nearest cache.
void fetch_ahead(const AnimatorState& state) {
  constexpr std::size_t kLine = 64;  // bytes of a cache's
  constexpr std::size_t kMost = 24;  // lines of one array: what follows comes by itself once it is read in order
  const auto fetch = [](const auto& values) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
    const std::size_t size = std::min(std::span(values).size_bytes(), kMost * kLine);
    for (std::size_t at = 0; at < size; at += kLine) __builtin_prefetch(bytes + at, 1);
  };
  fetch(state.layers);
  fetch(state.clocks);
  fetch(state.weights);
  fetch(state.cursors);
  fetch(state.locals);
  fetch(state.models);
}

Result<void> check(const AnimatorGraph& graph, std::uint32_t parameter, ParameterType type, std::string_view name) {
  const std::vector<ParameterType>& types = data_of(graph).parameter_types;
  if (parameter >= types.size()) return fail("parameter {} does not exist; the graph has {}", parameter, types.size());
  if (types[parameter] != type)
    return fail("parameter '{}' is not a {}", graph.draft().parameters[parameter].name, name);
  return {};
}

}  // namespace

Animator::Animator(std::shared_ptr<const AnimatorGraph> graph, const AnimatorSettings& chosen)
    : settings(chosen), state_(std::make_unique<AnimatorState>(std::move(graph))) {
  reset();
}
Animator::Animator(const Animator& other)
    : settings(other.settings), listener(other.listener), state_(std::make_unique<AnimatorState>(*other.state_)) {}
Animator::Animator(Animator&& other) noexcept = default;
Animator& Animator::operator=(const Animator& other) {
  if (this != &other) *this = Animator(other);
  return *this;
}
Animator& Animator::operator=(Animator&& other) noexcept = default;
Animator::~Animator() = default;

const AnimatorGraph& Animator::graph() const { return *state_->graph; }
std::span<const AnimatorSignal> Animator::signals() const { return state_->signals; }
const RootMotion& Animator::root_motion() const { return state_->root_motion; }
std::span<SoaTransform> Animator::locals() { return state_->locals; }
std::span<float> Animator::morphs() { return state_->morphs; }
std::span<Affine> Animator::models() { return state_->models; }
std::span<const SoaTransform> Animator::locals() const { return state_->locals; }
std::span<const float> Animator::morphs() const { return state_->morphs; }
std::span<const Affine> Animator::models() const { return state_->models; }
PoseEdit Animator::edit() { return {*state_->graph->rig(), state_->locals, state_->models}; }

void Animator::reset() {
  const GraphData& data = data_of(*state_->graph);
  state_->parameters = data.initial;
  state_->parameters_changed = true;
  state_->weights.assign(data.weights, 0.0f);
  state_->clocks.assign(data.clocks, {});
  state_->signals.clear();
  state_->pending.clear();
  state_->root_motion = {};
  state_->layers.assign(data.layers.size(), {});
  for (std::size_t i = 0; i < state_->layers.size(); ++i) state_->layers[i].weight = data.layers[i].weight;
  AnimatorLogic(*state_).begin();
}

Result<void> Animator::set_float(std::uint32_t parameter, float value) {
  THRONG_CHECK(check(*state_->graph, parameter, ParameterType::real, "float"));
  if (!std::isfinite(value))
    return fail("parameter '{}' cannot be {}", state_->graph->draft().parameters[parameter].name, value);
  state_->parameters_changed |= state_->parameters[parameter] != static_cast<double>(value);
  state_->parameters[parameter] = static_cast<double>(value);
  return {};
}

Result<void> Animator::set_int(std::uint32_t parameter, std::int32_t value) {
  THRONG_CHECK(check(*state_->graph, parameter, ParameterType::integer, "int"));
  state_->parameters[parameter] = static_cast<double>(value);
  return {};
}

Result<void> Animator::set_bool(std::uint32_t parameter, bool value) {
  THRONG_CHECK(check(*state_->graph, parameter, ParameterType::boolean, "bool"));
  state_->parameters[parameter] = value ? 1.0 : 0.0;
  return {};
}

Result<void> Animator::set_trigger(std::uint32_t parameter) {
  THRONG_CHECK(check(*state_->graph, parameter, ParameterType::trigger, "trigger"));
  state_->parameters[parameter] = 1.0;
  return {};
}

Result<void> Animator::reset_trigger(std::uint32_t parameter) {
  THRONG_CHECK(check(*state_->graph, parameter, ParameterType::trigger, "trigger"));
  state_->parameters[parameter] = 0.0;
  return {};
}

Result<void> Animator::set_float(std::string_view parameter, float value) {
  return state_->graph->find_parameter(parameter).and_then(
      [&](std::uint32_t found) { return set_float(found, value); });
}
Result<void> Animator::set_int(std::string_view parameter, std::int32_t value) {
  return state_->graph->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_int(found, value); });
}
Result<void> Animator::set_bool(std::string_view parameter, bool value) {
  return state_->graph->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_bool(found, value); });
}
Result<void> Animator::set_trigger(std::string_view parameter) {
  return state_->graph->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_trigger(found); });
}
Result<void> Animator::reset_trigger(std::string_view parameter) {
  return state_->graph->find_parameter(parameter).and_then([&](std::uint32_t found) { return reset_trigger(found); });
}

double Animator::parameter(std::uint32_t parameter) const {
  return parameter < state_->parameters.size() ? state_->parameters[parameter] : 0.0;
}

Result<void> Animator::copy_parameters(const Animator& from) {
  if (state_->graph != from.state_->graph) return fail("the animators play different graphs");
  state_->parameters = from.state_->parameters;
  state_->parameters_changed = true;
  return {};
}

float Animator::layer_weight(std::uint32_t layer) const {
  return layer < state_->layers.size() ? state_->layers[layer].weight : 0.0f;
}

Result<void> Animator::set_layer_weight(std::uint32_t layer, float weight) {
  if (layer >= state_->layers.size())
    return fail("layer {} does not exist; the graph has {}", layer, state_->layers.size());
  if (!(weight >= 0.0f && weight <= 1.0f)) return fail("a layer's weight is in 0 … 1, not {}", weight);
  if (layer == 0 && weight != 1.0f) return fail("the first layer is what the others go over; its weight stays 1");
  state_->layers[layer].weight = weight;
  return {};
}

Result<void> Animator::jump_to(std::uint32_t state, double normalised_time, std::uint32_t layer) {
  return cross_fade(state, 0.0, normalised_time, layer);
}

Result<void> Animator::cross_fade(std::uint32_t state, double duration, double normalised_time, std::uint32_t layer) {
  if (layer >= state_->layers.size())
    return fail("layer {} does not exist; the graph has {}", layer, state_->layers.size());
  const GraphLayer& of = data_of(*state_->graph).layers[layer];
  if (of.master != layer)
    return fail("layer '{}' follows '{}'; move that one", of.name, data_of(*state_->graph).layers[of.master].name);
  if (state >= of.states.size()) return fail("layer '{}' has no state {}; it has {}", of.name, state, of.states.size());
  if (!std::isfinite(normalised_time) || !std::isfinite(duration) || duration < 0.0) {
    return fail("the time or the duration is not finite, or the duration negative");
  }
  state_->settings = settings;
  AnimatorLogic(*state_).cross_fade(layer, state, duration, normalised_time);
  return {};
}

void Animator::step(double dt) {
  fetch_ahead(*state_);
  state_->settings = settings;
  AnimatorLogic(*state_).update(dt);
}

void Animator::deliver() {
  if (listener == nullptr) return;
  // By index: a listener may jump, which adds signals for the next update.
  for (std::size_t i = 0; i < state_->signals.size(); ++i)
    listener->on_signal(*this, AnimatorSignal(state_->signals[i]));
  for (std::uint32_t layer = 0; layer < state_->layers.size(); ++layer) listener->on_update(*this, layer, state(layer));
}

void Animator::advance(double dt) {
  step(dt);
  deliver();
}

LayerState Animator::state(std::uint32_t layer) const {
  if (layer >= state_->layers.size()) return {};
  const AnimatorView view(*state_);
  const PlayedLayer& at = state_->layers[layer];
  const GroupClock& clock = view.clock(layer, at.current, 0);
  LayerState state{.state = at.current.state,
                   .normalised_time = clock.loops + clock.phase,
                   .length = clock.length,
                   .speed = at.current.speed,
                   .frozen = at.current.frozen};
  if (!at.fading) return state;
  const GroupClock& next = view.clock(layer, at.next, 0);
  state.next = at.next.state;
  state.next_normalised_time = next.loops + next.phase;
  state.progress = view.share_of_next(layer);
  return state;
}

std::vector<PlayingClip> Animator::clips(std::uint32_t layer) const {
  std::vector<PlayingClip> all;
  if (layer >= state_->layers.size()) return all;
  AnimatorView(*state_).each_clip(layer, [&](const PlayingClip& clip) { all.push_back(clip); });
  return all;
}

std::optional<PlayingClip> Animator::dominant_clip(std::uint32_t layer) const {
  std::optional<PlayingClip> most;
  if (layer >= state_->layers.size()) return most;
  AnimatorView(*state_).each_clip(layer, [&](const PlayingClip& clip) {
    if (!most || clip.weight > most->weight) most = clip;
  });
  return most;
}

void Animator::pose() {
  state_->settings = settings;
  AnimatorPoser(*state_).pose();
}

void Animator::update_models(std::uint32_t from) {
  LocalToModelJob{.rig = *state_->graph->rig(),
                  .locals = state_->locals,
                  .models = state_->models,
                  .model_from_root = {},
                  .from = from}
      .run();
}

bool Animator::palette(std::span<Affine> out) const {
  if (state_->models.empty()) return false;
  return PaletteJob{.rig = *state_->graph->rig(), .models = state_->models, .palette = out}.run();
}

void update_all(std::span<Animator> animators, double dt, Executor& executor) {
  in_parallel(animators, executor, [dt](Animator& animator) { animator.step(dt); });
  for (Animator& animator : animators) animator.deliver();
}

void pose_all(std::span<Animator> animators, Executor& executor) {
  in_parallel(animators, executor, [](Animator& animator) { animator.pose(); });
}

}  // namespace throng
