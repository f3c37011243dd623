// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_build.h"

#include <algorithm>
#include <cmath>

#include "throng/base/text.h"
#include "throng/base/try.h"

namespace throng::detail::animator {
namespace {

std::vector<std::string> names_of(const NameIndex& index) {
  std::vector<std::string> names;
  names.reserve(index.size());
  for (const auto& entry : index) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::uint32_t> look_up(const NameIndex& index, std::string_view what, std::string_view name) {
  if (const auto found = index.find(name); found != index.end()) return found->second;
  return fail("no {} is named '{}'; {}", what, name, did_you_mean(name, names_of(index)));
}

bool fits(ParameterType type, double value) {
  if (!std::isfinite(value)) return false;
  if (type == ParameterType::real) return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
  if (type == ParameterType::integer) {
    return value == std::floor(value) &&
           std::abs(value) <= static_cast<double>(std::numeric_limits<std::int32_t>::max());
  }
  return value == 0.0 || value == 1.0;
}

}  // namespace

Result<void> GraphBuilder::add_parameters() {
  const Place root;
  if (draft.parameters.size() > kMaxParameters) {
    return fail_at(root.in("parameters"), "{} parameters; at most {} are possible", draft.parameters.size(),
                   kMaxParameters);
  }
  for (std::size_t i = 0; i < draft.parameters.size(); ++i) {
    const ParameterDraft& parameter = draft.parameters[i];
    const Place place = root.at("parameters", i);
    if (parameter.name.empty()) return fail_at(place.in("name"), "a parameter needs a name");
    if (!fits(parameter.type, parameter.initial)) {
      return fail_at(place.in("initial"), "{} is no value of its type", parameter.initial);
    }
    if (!data.parameters.emplace(parameter.name, static_cast<std::uint32_t>(i)).second) {
      return fail_at(place.in("name"), "another parameter is named '{}' already", parameter.name);
    }
    data.parameter_types.push_back(parameter.type);
    data.initial.push_back(parameter.initial);
  }
  return {};
}

Result<std::uint32_t> GraphBuilder::real_parameter(std::string_view name, const Place& place) const {
  if (name.empty()) return kNone;
  const auto found = look_up(data.parameters, "parameter", name);
  if (!found) return fail_at(place, found.error());
  if (data.parameter_types[*found] != ParameterType::real) {
    return fail_at(place, "parameter '{}' is not a float, which this needs", name);
  }
  return *found;
}

Result<void> GraphBuilder::follow(const LayerDraft& source, const Place& place, GraphLayer& layer) {
  const Place named = place.in("synchronised_with");
  const auto master = std::find_if(data.layers.begin(), data.layers.end(),
                                   [&](const GraphLayer& other) { return other.name == source.synchronised_with; });
  if (master == data.layers.end()) return fail_at(named, "no earlier layer is named '{}'", source.synchronised_with);
  const auto index = static_cast<std::uint32_t>(master - data.layers.begin());
  if (master->master != index)
    return fail_at(named, "'{}' itself follows another layer; name that one", source.synchronised_with);
  const MachineDraft& machine = source.machine;
  if (!machine.states.empty() || !machine.machines.empty() || !machine.any.empty() || !machine.entry.empty()) {
    return fail_at(place, "a synchronised layer has motions, and no states of its own");
  }
  layer.master = index;
  layer.own_timing = source.own_timing;
  layer.motions.assign(master->states.size(), kNone);
  for (std::size_t i = 0; i < source.motions.size(); ++i) {
    const Place at = place.at("motions", i);
    const auto state = look_up(master->by_path, "state", source.motions[i].state);
    if (!state) return fail_at(at.in("state"), state.error());
    if (layer.motions[*state] != kNone)
      return fail_at(at.in("state"), "'{}' has a motion already", source.motions[i].state);
    THRONG_TRY(auto motion, add_motion(source.motions[i].motion, at.in("motion")));
    layer.motions[*state] = motion;
  }
  master->followers.push_back(static_cast<std::uint32_t>(data.layers.size()));
  return {};
}

Result<void> GraphBuilder::add_layer(const LayerDraft& source, const Place& place) {
  GraphLayer layer{.name = source.name, .kind = source.kind, .weight = source.weight};
  const bool first = data.layers.empty();
  layer.master = static_cast<std::uint32_t>(data.layers.size());
  if (source.name.empty()) return fail_at(place.in("name"), "a layer needs a name");
  for (const GraphLayer& other : data.layers) {
    if (other.name == source.name) return fail_at(place.in("name"), "another layer is named '{}' already", source.name);
  }
  if (!(source.weight >= 0.0f && source.weight <= 1.0f))
    return fail_at(place.in("weight"), "{} is not in 0 … 1", source.weight);
  if (first && (source.kind != LayerKind::override || source.weight != 1.0f || !source.mask.empty())) {
    return fail_at(place, "the first layer is what the others go over: it overrides, has weight 1 and no mask");
  }
  THRONG_CHECK(source.synchronised_with.empty() ? add_machine(*this, source.machine, place, layer)
                                                : follow(source, place, layer));
  THRONG_CHECK(add_mask(source, place, layer));
  THRONG_CHECK(add_references(source, place, layer));
  data.layers.push_back(std::move(layer));
  return {};
}

Result<void> GraphBuilder::add_layers() {
  const Place root;
  if (draft.layers.empty()) return fail_at(root.in("layers"), "a graph needs a layer");
  if (draft.layers.size() > kMaxLayers) {
    return fail_at(root.in("layers"), "{} layers; at most {} are possible", draft.layers.size(), kMaxLayers);
  }
  for (std::size_t i = 0; i < draft.layers.size(); ++i) {
    THRONG_CHECK(add_layer(draft.layers[i], root.at("layers", i)));
  }
  return {};
}

void GraphBuilder::lay_out_buffers() {
  for (GraphLayer& layer : data.layers) {
    for (const std::uint32_t index : layer.motions) {
      if (index == kNone) continue;
      const StateMotion& motion = data.motions[index];
      layer.weights_size = std::max(layer.weights_size, static_cast<std::uint32_t>(motion.leaves.size()));
      layer.clocks_size = std::max(layer.clocks_size, motion.groups);
      layer.cursors_size = std::max(layer.cursors_size, motion.cursors);
    }
    layer.weights_base = data.weights;
    layer.clocks_base = data.clocks;
    layer.cursors_base = data.cursors;
    data.weights += 2 * layer.weights_size;
    data.clocks += 2 * layer.clocks_size;
    data.cursors += 2 * layer.cursors_size;
  }
}

Result<void> GraphBuilder::build() {
  THRONG_CHECK(add_parameters());
  THRONG_CHECK(add_layers());
  add_root_tracks();
  lay_out_buffers();
  return {};
}

const GraphData& data_of(const AnimatorGraph& graph) { return *graph.data_; }

}  // namespace throng::detail::animator

namespace throng {

using namespace detail::animator;

Result<std::shared_ptr<const AnimatorGraph>> build_graph(GraphDraft draft, std::shared_ptr<const Rig> rig) {
  if (rig == nullptr) return fail("/: a graph is built for a rig, and there is none");
  auto data = std::make_unique<GraphData>();
  THRONG_CHECK(GraphBuilder{draft, *rig, *data}.build());
  return std::shared_ptr<const AnimatorGraph>(new AnimatorGraph(std::move(draft), std::move(rig), std::move(data)));
}

AnimatorGraph::AnimatorGraph(GraphDraft draft, std::shared_ptr<const Rig> rig, std::unique_ptr<const GraphData> data)
    : draft_(std::move(draft)), rig_(std::move(rig)), data_(std::move(data)) {}
AnimatorGraph::~AnimatorGraph() = default;

std::size_t AnimatorGraph::layer_count() const { return data_->layers.size(); }

std::size_t AnimatorGraph::state_count(std::uint32_t layer) const {
  return layer < layer_count() ? data_->layers[layer].motions.size() : 0;
}

const std::string& AnimatorGraph::state_path(std::uint32_t state, std::uint32_t layer) const {
  static const std::string none;
  if (state >= state_count(layer)) return none;
  return data_->layers[data_->layers[layer].master].states[state].path;
}

Result<std::uint32_t> AnimatorGraph::find_parameter(std::string_view name) const {
  return look_up(data_->parameters, "parameter", name);
}

Result<std::uint32_t> AnimatorGraph::find_layer(std::string_view name) const {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < layer_count(); ++i) {
    if (data_->layers[i].name == name) return i;
    names.push_back(data_->layers[i].name);
  }
  return fail("no layer is named '{}'; {}", name, did_you_mean(name, names));
}

Result<std::uint32_t> AnimatorGraph::find_state(std::string_view path, std::uint32_t layer) const {
  if (layer >= layer_count()) return fail("layer {} does not exist; the graph has {}", layer, layer_count());
  return look_up(data_->layers[data_->layers[layer].master].by_path, "state", path);
}

std::optional<std::uint32_t> AnimatorGraph::state_of_clip(ClipId clip, std::uint32_t layer) const {
  std::optional<std::uint32_t> in_tree;
  for (std::uint32_t state = 0; state < state_count(layer); ++state) {
    const std::uint32_t index = data_->layers[layer].motions[state];
    if (index == kNone) continue;
    const std::vector<Leaf>& leaves = data_->motions[index].leaves;
    const bool has = std::any_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) { return leaf.clip == clip; });
    if (has && data_->motions[index].trees.empty()) return state;
    if (has && !in_tree) in_tree = state;
  }
  return in_tree;
}

void AnimatorGraph::take_out_root_motion(ClipId clip, double seconds, std::span<SoaTransform> locals) const {
  if (clip.value >= data_->root_tracks.size() || locals.size() < rig_->group_count()) return;
  detail::animator::take_out_root_motion(data_->root_chain, data_->root_tracks[clip.value], seconds, locals);
}

}  // namespace throng
