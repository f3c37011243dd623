#include <algorithm>
#include <cmath>

#include "gltf_accessor.h"
#include "gltf_convert.h"

namespace throng::gltf {
namespace {

// A sum this far from one is worth a word; 8-bit weights of four bones are off by no more through rounding.
constexpr double kWeightSumTolerance = 0.01;

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

double total(const std::vector<Weighted>& weighted, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(count, weighted.size()); ++i) sum += weighted[i].weight;
  return sum;
}

Influences strongest(const std::vector<Weighted>& weighted, const std::vector<std::uint16_t>& bindings,
                     MeshTally& tally) {
  Influences influences;
  influences.bindings.fill(bindings.front());
  if (weighted.empty()) {
    ++tally.repairs.vertices_unweighted;
    return influences;
  }
  const double all = total(weighted, weighted.size());
  const double kept = total(weighted, kInfluences);
  if (std::abs(all - 1.0) > kWeightSumTolerance) ++tally.repairs.weights_rescaled;
  if (weighted.size() > kInfluences) {
    const double dropped = (all - kept) / all;
    ++tally.repairs.vertices_cut;
    tally.repairs.influences_dropped += weighted.size() - kInfluences;
    tally.dropped_weight_sum += dropped;
    tally.repairs.most_weight_dropped = std::max(tally.repairs.most_weight_dropped, dropped);
  }
  influences.weights.fill(0.0f);
  for (std::size_t i = 0; i < std::min(kInfluences, weighted.size()); ++i) {
    influences.bindings[i] = bindings[weighted[i].joint];
    influences.weights[i] = static_cast<float>(weighted[i].weight / kept);
  }
  return influences;
}

}  // namespace

Result<std::vector<Influences>> read_influences(const Document& document, const tinygltf::Primitive& primitive,
                                                const std::vector<std::uint16_t>& bindings, MeshTally& tally) {
  auto sets = read_sets(document, primitive);
  if (!sets) return fail(std::move(sets));
  const std::size_t vertices = sets->front().joints.size() / 4;
  std::vector<Influences> influences;
  influences.reserve(vertices);
  std::vector<Weighted> weighted;
  for (std::size_t v = 0; v < vertices; ++v) {
    gather(*sets, v, weighted);
    for (const Weighted& w : weighted) {
      if (w.joint >= bindings.size()) return fail("vertex {} is bound to joint {} of {}", v, w.joint, bindings.size());
    }
    influences.push_back(strongest(weighted, bindings, tally));
  }
  return influences;
}

}  // namespace throng::gltf
