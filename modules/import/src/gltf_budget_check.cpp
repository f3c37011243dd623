// A small file can name the same data many times over. What reading it would cost is bounded before any of it is read.

#include "gltf_document.h"

namespace throng::gltf {
namespace {

// Elements decoded, each counted as often as it is used. The largest character files stay a hundred times below.
constexpr std::uint64_t kMaxElements = 1u << 28;

std::uint64_t primitive_cost(const Document& document, const tinygltf::Primitive& primitive) {
  const auto count = [&document](int accessor) -> std::uint64_t {
    return document.model.accessors[static_cast<std::size_t>(accessor)].count;
  };
  std::uint64_t cost = primitive.indices >= 0 ? count(primitive.indices) : 0;
  for (const auto& [name, accessor] : primitive.attributes) cost += count(accessor);
  for (const auto& target : primitive.targets) {
    for (const auto& [name, accessor] : target) cost += count(accessor);
    // A target without positions gets zeros for every vertex.
    cost += count(primitive.attributes.begin()->second);
  }
  return cost;
}

}  // namespace

Result<void> check_budget(const Document& document) {
  const auto& model = document.model;
  std::vector<std::uint64_t> uses(model.meshes.size(), 1);
  for (const auto& node : model.nodes) {
    if (node.mesh >= 0) ++uses[static_cast<std::size_t>(node.mesh)];
  }
  std::uint64_t total = 0;
  const auto add = [&total](std::uint64_t cost, std::uint64_t times) {
    total += cost * times;
    return cost <= kMaxElements && total <= kMaxElements;
  };
  constexpr fmt::format_string<const std::uint64_t&> kTooMuch =
      "reading it would take more than {} vertices, indices and keys";
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    for (const auto& primitive : model.meshes[m].primitives) {
      if (!add(primitive_cost(document, primitive), uses[m])) return fail(kTooMuch, kMaxElements);
    }
  }
  for (const auto& animation : model.animations) {
    for (const auto& sampler : animation.samplers) {
      const auto& input = model.accessors[static_cast<std::size_t>(sampler.input)];
      if (!add(input.count, 1)) return fail(kTooMuch, kMaxElements);
    }
    for (const auto& channel : animation.channels) {
      if (static_cast<std::size_t>(channel.sampler) >= animation.samplers.size()) continue;
      const auto& sampler = animation.samplers[static_cast<std::size_t>(channel.sampler)];
      const std::uint64_t keys = model.accessors[static_cast<std::size_t>(sampler.input)].count;
      const std::uint64_t values = model.accessors[static_cast<std::size_t>(sampler.output)].count;
      if (!add(keys + values, 1)) return fail(kTooMuch, kMaxElements);
    }
  }
  for (const auto& skin : model.skins) {
    if (skin.inverseBindMatrices < 0) continue;
    if (!add(model.accessors[static_cast<std::size_t>(skin.inverseBindMatrices)].count, 1))
      return fail(kTooMuch, kMaxElements);
  }
  return {};
}

}  // namespace throng::gltf
