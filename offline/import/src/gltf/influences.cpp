#include <algorithm>

#include "gltf/accessor.h"
#include "gltf/convert.h"
#include "kept_influences.h"

namespace throng::gltf {
namespace {

struct Weighted {
  std::uint32_t joint;
  double weight;
};

struct Set {
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
};

Result<std::vector<Set>> read_sets(const Document& document, const tinygltf::Primitive& primitive) {
  std::vector<Set> sets;
  while (true) {
    const auto joints = primitive.attributes.find(fmt::format("JOINTS_{}", sets.size()));
    const auto weights = primitive.attributes.find(fmt::format("WEIGHTS_{}", sets.size()));
    if (joints == primitive.attributes.end() || weights == primitive.attributes.end()) return sets;
    auto joint_values = read_integers(document, static_cast<std::size_t>(joints->second));
    if (!joint_values) return fail(std::move(joint_values));
    auto weight_values = read_floats(document, static_cast<std::size_t>(weights->second));
    if (!weight_values) return fail(std::move(weight_values));
    sets.push_back({std::move(*joint_values), std::move(*weight_values)});
  }
}

// What moves one vertex: each joint once, the heaviest first.
void gather(const std::vector<Set>& sets, std::size_t vertex, std::vector<Weighted>& out) {
  out.clear();
  for (const Set& set : sets) {
    for (std::size_t i = vertex * 4; i < vertex * 4 + 4; ++i) {
      if (set.weights[i] <= 0.0f) continue;
      const auto same =
          std::find_if(out.begin(), out.end(), [&](const Weighted& w) { return w.joint == set.joints[i]; });
      if (same != out.end())
        same->weight += static_cast<double>(set.weights[i]);
      else
        out.push_back({set.joints[i], static_cast<double>(set.weights[i])});
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
}

}  // namespace

Result<void> read_influences(Conversion& c, const tinygltf::Primitive& primitive,
                             const std::vector<std::uint16_t>& bindings, Mesh& mesh) {
  auto sets = read_sets(c.document, primitive);
  if (!sets) return fail(std::move(sets));
  const std::size_t vertices = sets->front().joints.size() / 4;
  mesh.influences.reserve(vertices);
  mesh.more_influences.reserve(vertices);
  std::vector<Weighted> weighted;
  std::vector<BoundWeight> bound;
  for (std::size_t v = 0; v < vertices; ++v) {
    gather(*sets, v, weighted);
    bound.clear();
    for (const Weighted& w : weighted) {
      if (w.joint >= bindings.size()) return fail("vertex {} is bound to joint {} of {}", v, w.joint, bindings.size());
      bound.push_back({bindings[w.joint], w.weight});
    }
    if (bound.empty()) ++c.tally.repairs.vertices_unweighted;
    add_influences(
        bound.empty() ? bound_rigidly(bindings.front()) : keep_strongest(bound, c.most_influences, c.tally.repairs),
        mesh);
  }
  drop_unused_influences(mesh);
  return {};
}

}  // namespace throng::gltf
