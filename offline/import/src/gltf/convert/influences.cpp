// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/influences.h"

#include <algorithm>
#include <cmath>

#include "gltf/data/accessor.h"
#include "kept_influences.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

struct Weighted {
  std::uint32_t joint;
  double weight;
};

struct Set {
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
};

Result<std::vector<Set>> read_sets(const Conversion& c, const source::Primitive& primitive) {
  std::vector<Set> sets;
  while (true) {
    const auto joints = primitive.attributes.find(fmt::format("JOINTS_{}", sets.size()));
    const auto weights = primitive.attributes.find(fmt::format("WEIGHTS_{}", sets.size()));
    if (joints == primitive.attributes.end() || weights == primitive.attributes.end()) return sets;
    THRONG_TRY(auto joint_values, read_integers(c.document, joints->second));
    THRONG_TRY(auto weight_values, read_floats(c.document, weights->second));
    for (float& weight : weight_values) {
      if (std::isfinite(weight)) continue;
      weight = 0.0f;
      c.mender.count(Fault::negative_weight);
    }
    sets.push_back({std::move(joint_values), std::move(weight_values)});
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

Result<void> read_influences(Conversion& c, const source::Primitive& primitive,
                             const std::vector<std::uint16_t>& bindings, Mesh& mesh) {
  THRONG_TRY(auto sets, read_sets(c, primitive));
  const std::size_t vertices = sets.front().joints.size() / 4;
  mesh.influences.reserve(vertices);
  mesh.extra_influences.reserve(vertices);
  std::vector<Weighted> weighted;
  std::vector<import::BoundWeight> bound;
  for (std::size_t v = 0; v < vertices; ++v) {
    gather(sets, v, weighted);
    bound.clear();
    for (const Weighted& w : weighted) {
      if (w.joint >= bindings.size()) return fail("vertex {} is bound to joint {} of {}", v, w.joint, bindings.size());
      bound.push_back({bindings[w.joint], w.weight});
    }
    if (bound.empty()) ++c.tally.repairs.vertices_unweighted;
    import::add_influences(bound.empty() ? import::bound_rigidly(bindings.front())
                                         : import::keep_strongest(bound, c.most_influences, c.tally.repairs),
                           mesh);
  }
  import::drop_unused_influences(mesh);
  return {};
}

}  // namespace throng::detail::gltf
