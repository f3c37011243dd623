// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/budget.h"

#include <algorithm>

#include "gltf/data/instances.h"

namespace throng::detail::gltf {
namespace {

// Elements decoded, each counted as often as it is used. The largest character files stay a hundred times below.
constexpr std::uint64_t kMaxElements = 1u << 28;

std::uint64_t primitive_cost(const Document& document, const source::Primitive& primitive) {
  const auto count = [&document](std::size_t accessor) -> std::uint64_t {
    return document.model.accessors[accessor].count;
  };
  std::uint64_t cost = primitive.indices ? count(*primitive.indices) : 0;
  for (const auto& [name, accessor] : primitive.attributes) cost += count(accessor);
  for (const auto& target : primitive.targets) {
    for (const auto& [name, accessor] : target) cost += count(accessor);
    // A target without positions gets zeros for every vertex.
    cost += count(primitive.attributes.begin()->second);
  }
  return cost;
}

// Counts elements and stays at the limit once it is passed, whatever else is added.
class Budget {
 public:
  void spend(std::uint64_t elements, std::uint64_t times = 1) {
    if (elements == 0) return;
    spent_ = times > (kMaxElements - std::min(spent_, kMaxElements)) / elements ? kMaxElements + 1
                                                                                : spent_ + elements * times;
  }
  bool exceeded() const { return spent_ > kMaxElements; }

 private:
  std::uint64_t spent_ = 0;
};

void spend_meshes(const Document& document, Budget& budget) {
  const auto& model = document.model;
  // Once to be checked, and once for every node that shows it.
  std::vector<std::uint64_t> uses(model.meshes.size(), 1);
  for (const auto& node : model.nodes) {
    if (node.mesh) uses[*node.mesh] += instance_count(document, node);
  }
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    for (const auto& primitive : model.meshes[m].primitives) budget.spend(primitive_cost(document, primitive), uses[m]);
  }
}

void spend_animation(const Document& document, const source::Animation& animation, Budget& budget) {
  const auto cost = [&document](const source::KeySampler& sampler) -> std::uint64_t {
    return std::uint64_t{document.model.accessors[sampler.input].count} +
           document.model.accessors[sampler.output].count;
  };
  for (const auto& sampler : animation.samplers) budget.spend(cost(sampler));
  for (const auto& channel : animation.channels) {
    if (channel.sampler < animation.samplers.size()) budget.spend(cost(animation.samplers[channel.sampler]));
  }
}

}  // namespace

Result<void> check_budget(const Document& document, Mender& /*mender*/) {
  Budget budget;
  spend_meshes(document, budget);
  for (const auto& animation : document.model.animations) spend_animation(document, animation, budget);
  for (const auto& skin : document.model.skins) {
    if (skin.inverse_bind_matrices) budget.spend(document.model.accessors[*skin.inverse_bind_matrices].count);
  }
  if (!budget.exceeded()) return {};
  return fail("reading it would take more than {} vertices, indices and keys", kMaxElements);
}

}  // namespace throng::detail::gltf
