// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/budget.h"

#include <algorithm>

#include "gltf/convert/single_weights.h"
#include "gltf/data/accessor.h"
#include "gltf/data/instances.h"
#include "gltf/file/json.h"
#include "import_budget.h"
#include "throng/base/try.h"
#include "throng/model/model.h"

namespace throng::detail::gltf {
namespace {

using import::Budget;

// Every value counts as a float as it is read, and again as the model has it, also when the first is no longer held.
constexpr std::uint64_t kCopies = 2;
constexpr std::uint64_t kBytesOfIndex = 4 * sizeof(std::uint32_t);  // strips and fans make three of one
constexpr std::uint64_t kBytesOfMatrix = 4 * sizeof(glm::dmat4);

std::uint64_t count_of(const Document& document, std::size_t accessor) {
  return document.model.accessors[accessor].count;
}

std::uint64_t bytes_of(const Document& document, std::size_t index) {
  const source::Accessor& accessor = document.model.accessors[index];
  const std::uint64_t components = accessor.understood ? element_layout(accessor).components() : 1;
  return kCopies * sizeof(float) * components * accessor.count;
}

// Every vertex has influences, and indices that the file may leave out; every morph target has offsets.
std::uint64_t primitive_bytes(const Document& document, const source::Primitive& primitive) {
  if (primitive.attributes.empty()) return 0;
  const std::uint64_t vertices = count_of(document, primitive.attributes.begin()->second);
  std::uint64_t bytes = (2 * sizeof(Influences) + (primitive.indices ? 0 : kBytesOfIndex)) * vertices;
  if (primitive.indices) bytes += kBytesOfIndex * count_of(document, *primitive.indices);
  for (const auto& [name, accessor] : primitive.attributes) bytes += bytes_of(document, accessor);
  for (const auto& target : primitive.targets) {
    for (const auto& [name, accessor] : target) bytes += bytes_of(document, accessor);
    bytes += sizeof(glm::vec3) * vertices;
  }
  return bytes;
}

// Exporters' lists of names in a mesh's extras; whatever else is there takes room too.
std::uint64_t bytes_of_target_names(const Document& document, std::size_t mesh) {
  const auto& json = collection_of(*document.json, "meshes")[mesh];
  const nlohmann::json::json_pointer list("/extras/targetNames");
  if (!json.contains(list)) return 0;
  std::uint64_t bytes = 0;
  for (const auto& name : json[list]) {
    if (name.is_string()) bytes += name.get_ref<const std::string&>().size();
  }
  return bytes;
}

// What a primitive takes for every node that shows it, whatever its vertices are: its names among it, but for the
// node's.
std::uint64_t object_bytes(const Document& document, std::size_t mesh, const source::Primitive& primitive) {
  std::uint64_t bytes = import::kBytesOfMesh + document.model.meshes[mesh].name.size();
  if (primitive.targets.empty()) return bytes;
  bytes += import::kBytesOfTarget * primitive.targets.size();
  return bytes + bytes_of_target_names(document, mesh);
}

Result<void> spend_meshes(const Document& document, Budget& budget) {
  const auto& model = document.model;
  // Once to be checked, and once for every node that shows it.
  std::vector<std::uint64_t> uses(model.meshes.size(), 1);
  std::vector<std::uint64_t> nodes(model.meshes.size(), 0);
  std::vector<std::uint64_t> names(model.meshes.size(), 0);  // of those nodes, in bytes
  for (const auto& node : model.nodes) {
    if (!node.mesh) continue;
    uses[*node.mesh] += instance_count(document, node);
    ++nodes[*node.mesh];
    names[*node.mesh] += node.name.size();
  }
  constexpr std::string_view kMeshes = "meshes and their names";
  for (std::size_t m = 0; m < model.meshes.size(); ++m) {
    const auto& primitives = model.meshes[m].primitives;
    for (const auto& primitive : primitives) {
      THRONG_CHECK(budget.spend(primitive_bytes(document, primitive), uses[m], "vertices and indices"));
    }
    if (primitives.empty()) continue;
    // All primitives have as many targets.
    THRONG_CHECK(budget.spend(object_bytes(document, m, primitives.front()), nodes[m] * primitives.size(), kMeshes));
    THRONG_CHECK(budget.spend(names[m], primitives.size(), kMeshes));
  }
  return {};
}

// All values are looked at once, whether anything uses them or not.
Result<void> spend_looks(const Document& document, Budget& budget) {
  for (std::size_t i = 0; i < document.model.accessors.size(); ++i) {
    const source::Accessor& accessor = document.model.accessors[i];
    if (!accessor.understood || !has_data(document, i)) continue;
    THRONG_CHECK(budget.spend(sizeof(double) * element_layout(accessor).components(), accessor.count, "accessors"));
  }
  return {};
}

// Every mesh that has morph targets has a track of its own.
std::uint64_t tracks_of_weights(const Document& document, std::size_t node) {
  const auto& nodes = document.model.nodes;
  if (node >= nodes.size() || !nodes[node].mesh) return 1;
  const auto& primitives = document.model.meshes[*nodes[node].mesh].primitives;
  const auto moved = std::ranges::count_if(primitives, [](const auto& one) { return !one.targets.empty(); });
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(moved)) * instance_count(document, nodes[node]);
}

Result<void> spend_animation(const Document& document, const source::Animation& animation, Budget& budget) {
  const auto bytes = [&document](const source::KeySampler& sampler) {
    return bytes_of(document, sampler.input) + bytes_of(document, sampler.output);
  };
  for (const auto& sampler : animation.samplers) {
    THRONG_CHECK(budget.spend(bytes(sampler), "animation keys"));
  }
  for (const auto& channel : animation.channels) {
    if (channel.sampler >= animation.samplers.size()) continue;
    const auto& sampler = animation.samplers[channel.sampler];
    const std::uint64_t times = channel.path == "weights" ? tracks_of_weights(document, channel.node) : 1;
    THRONG_CHECK(budget.spend(bytes(sampler), times, "animation keys"));
    if (!channel.target) continue;
    const std::uint64_t targets = document.model.meshes[*document.model.nodes[channel.node].mesh].target_count();
    THRONG_CHECK(
        budget.spend(joined_weight_bytes(count_of(document, sampler.input), targets), times + 1, "animation keys"));
  }
  return {};
}

}  // namespace

Result<void> check_budget(const Document& document, Mender& /*mender*/) {
  Budget budget(document.budget, document.files.bytes());
  for (const auto& [view, decoded] : document.decoded_views) {
    THRONG_CHECK(budget.spend(decoded.bytes.size(), "compressed buffer views"));
  }
  for (const auto& [accessor, decoded] : document.decoded_accessors) {
    THRONG_CHECK(budget.spend(decoded.bytes.size(), "compressed meshes"));
  }
  THRONG_CHECK(spend_looks(document, budget));
  THRONG_CHECK(spend_meshes(document, budget));
  for (const auto& animation : document.model.animations) {
    THRONG_CHECK(spend_animation(document, animation, budget));
  }
  for (const auto& skin : document.model.skins) {
    if (!skin.inverse_bind_matrices) continue;
    THRONG_CHECK(budget.spend(kBytesOfMatrix, count_of(document, *skin.inverse_bind_matrices), "skins"));
  }
  return {};
}

}  // namespace throng::detail::gltf
