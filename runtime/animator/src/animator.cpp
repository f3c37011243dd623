#include "throng/animator/animator.h"

#include <algorithm>
#include <cmath>

#include "animator_logic.h"
#include "animator_poser.h"
#include "animator_view.h"

namespace throng {
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

Result<void> check(const AnimatorGraph& graph, std::uint32_t parameter, ParameterType type, std::string_view name) {
  const std::vector<ParameterType>& types = graph.data().parameter_types;
  if (parameter >= types.size()) return fail("parameter {} does not exist; the graph has {}", parameter, types.size());
  if (types[parameter] != type)
    return fail("parameter '{}' is not a {}", graph.draft().parameters[parameter].name, name);
  return {};
}

}  // namespace

Animator::Animator(std::shared_ptr<const AnimatorGraph> graph, const AnimatorSettings& chosen)
    : settings(chosen), graph_(std::move(graph)) {
  reset();
}

void Animator::reset() {
  const GraphData& data = graph_->data();
  parameters_ = data.initial;
  parameters_changed_ = true;
  weights_.assign(data.weights, 0.0f);
  clocks_.assign(data.clocks, {});
  signals_.clear();
  pending_.clear();
  root_motion_ = {};
  layers_.assign(data.layers.size(), {});
  for (std::size_t i = 0; i < layers_.size(); ++i) layers_[i].weight = data.layers[i].weight;
  AnimatorLogic(*this).begin();
}

Result<void> Animator::set_float(std::uint32_t parameter, float value) {
  if (auto checked = check(*graph_, parameter, ParameterType::real, "float"); !checked) return checked;
  if (!std::isfinite(value))
    return fail("parameter '{}' cannot be {}", graph_->draft().parameters[parameter].name, value);
  parameters_changed_ |= parameters_[parameter] != static_cast<double>(value);
  parameters_[parameter] = static_cast<double>(value);
  return {};
}

Result<void> Animator::set_int(std::uint32_t parameter, std::int32_t value) {
  if (auto checked = check(*graph_, parameter, ParameterType::integer, "int"); !checked) return checked;
  parameters_[parameter] = static_cast<double>(value);
  return {};
}

Result<void> Animator::set_bool(std::uint32_t parameter, bool value) {
  if (auto checked = check(*graph_, parameter, ParameterType::boolean, "bool"); !checked) return checked;
  parameters_[parameter] = value ? 1.0 : 0.0;
  return {};
}

Result<void> Animator::set_trigger(std::uint32_t parameter) {
  if (auto checked = check(*graph_, parameter, ParameterType::trigger, "trigger"); !checked) return checked;
  parameters_[parameter] = 1.0;
  return {};
}

Result<void> Animator::reset_trigger(std::uint32_t parameter) {
  if (auto checked = check(*graph_, parameter, ParameterType::trigger, "trigger"); !checked) return checked;
  parameters_[parameter] = 0.0;
  return {};
}

Result<void> Animator::set_float(std::string_view parameter, float value) {
  return graph_->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_float(found, value); });
}
Result<void> Animator::set_int(std::string_view parameter, std::int32_t value) {
  return graph_->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_int(found, value); });
}
Result<void> Animator::set_bool(std::string_view parameter, bool value) {
  return graph_->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_bool(found, value); });
}
Result<void> Animator::set_trigger(std::string_view parameter) {
  return graph_->find_parameter(parameter).and_then([&](std::uint32_t found) { return set_trigger(found); });
}
Result<void> Animator::reset_trigger(std::string_view parameter) {
  return graph_->find_parameter(parameter).and_then([&](std::uint32_t found) { return reset_trigger(found); });
}

double Animator::parameter(std::uint32_t parameter) const {
  return parameter < parameters_.size() ? parameters_[parameter] : 0.0;
}

Result<void> Animator::copy_parameters(const Animator& from) {
  if (graph_ != from.graph_) return fail("the animators play different graphs");
  parameters_ = from.parameters_;
  parameters_changed_ = true;
  return {};
}

float Animator::layer_weight(std::uint32_t layer) const {
  return layer < layers_.size() ? layers_[layer].weight : 0.0f;
}

Result<void> Animator::set_layer_weight(std::uint32_t layer, float weight) {
  if (layer >= layers_.size()) return fail("layer {} does not exist; the graph has {}", layer, layers_.size());
  if (!(weight >= 0.0f && weight <= 1.0f)) return fail("a layer's weight is in 0 … 1, not {}", weight);
  if (layer == 0 && weight != 1.0f) return fail("the first layer is what the others go over; its weight stays 1");
  layers_[layer].weight = weight;
  return {};
}

Result<void> Animator::jump_to(std::uint32_t state, double normalised_time, std::uint32_t layer) {
  return cross_fade(state, 0.0, normalised_time, layer);
}

Result<void> Animator::cross_fade(std::uint32_t state, double duration, double normalised_time, std::uint32_t layer) {
  if (layer >= layers_.size()) return fail("layer {} does not exist; the graph has {}", layer, layers_.size());
  const GraphLayer& of = graph_->data().layers[layer];
  if (of.master != layer)
    return fail("layer '{}' follows '{}'; move that one", of.name, graph_->data().layers[of.master].name);
  if (state >= of.states.size()) return fail("layer '{}' has no state {}; it has {}", of.name, state, of.states.size());
  if (!std::isfinite(normalised_time) || !std::isfinite(duration) || duration < 0.0) {
    return fail("the time or the duration is not finite, or the duration negative");
  }
  AnimatorLogic(*this).cross_fade(layer, state, duration, normalised_time);
  return {};
}

void Animator::step(double dt) { AnimatorLogic(*this).update(dt); }

void Animator::deliver() {
  if (listener == nullptr) return;
  // By index: a listener may jump, which adds signals for the next update.
  for (std::size_t i = 0; i < signals_.size(); ++i) listener->on_signal(*this, AnimatorSignal(signals_[i]));
  for (std::uint32_t layer = 0; layer < layers_.size(); ++layer) listener->on_update(*this, layer, state(layer));
}

void Animator::advance(double dt) {
  step(dt);
  deliver();
}

LayerState Animator::state(std::uint32_t layer) const {
  if (layer >= layers_.size()) return {};
  const AnimatorView view(*this);
  const Layer& at = layers_[layer];
  const Clock& clock = view.clock(layer, at.current, 0);
  LayerState state{.state = at.current.state,
                   .normalised_time = clock.loops + clock.phase,
                   .length = clock.length,
                   .speed = at.current.speed,
                   .frozen = at.current.frozen};
  if (!at.fading) return state;
  const Clock& next = view.clock(layer, at.next, 0);
  state.next = at.next.state;
  state.next_normalised_time = next.loops + next.phase;
  state.progress = view.share_of_next(layer);
  return state;
}

std::vector<PlayingClip> Animator::clips(std::uint32_t layer) const {
  std::vector<PlayingClip> all;
  if (layer >= layers_.size()) return all;
  AnimatorView(*this).each_clip(layer, [&](const PlayingClip& clip) { all.push_back(clip); });
  return all;
}

std::optional<PlayingClip> Animator::dominant_clip(std::uint32_t layer) const {
  std::optional<PlayingClip> most;
  if (layer >= layers_.size()) return most;
  AnimatorView(*this).each_clip(layer, [&](const PlayingClip& clip) {
    if (!most || clip.weight > most->weight) most = clip;
  });
  return most;
}

void Animator::pose() { AnimatorPoser(*this).pose(); }

void Animator::update_models(std::uint32_t from) {
  LocalToModelJob{.rig = *graph_->rig(), .locals = locals_, .models = models_, .model_from_root = {}, .from = from}
      .run();
}

bool Animator::palette(std::span<Affine> out) const {
  if (models_.empty()) return false;
  return PaletteJob{.rig = *graph_->rig(), .models = models_, .palette = out}.run();
}

void update_all(std::span<Animator> animators, double dt, Executor& executor) {
  in_parallel(animators, executor, [dt](Animator& animator) { animator.step(dt); });
  for (Animator& animator : animators) animator.deliver();
}

void pose_all(std::span<Animator> animators, Executor& executor) {
  in_parallel(animators, executor, [](Animator& animator) { animator.pose(); });
}

}  // namespace throng
