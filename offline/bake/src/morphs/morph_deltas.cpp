// SPDX-License-Identifier: Apache-2.0
#include "morphs/morph_deltas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/math/directions.h"

namespace throng::detail::bake {
namespace {

constexpr double kMostSteps = 32767.0;

struct ExactDelta {
  std::uint32_t vertex = 0;
  std::uint32_t channel = 0;
  glm::dvec3 offset{0.0};    // in the space of the source's mesh
  glm::dvec3 position{0.0};  // the same in the baked mesh's space
  glm::dvec3 normal{0.0};    // beside a normal of unit length
  double reach = 0.0;        // how far a weight of one moves the vertex in any pose, at most
};

double largest(const glm::dvec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

// What all targets of a channel add to one vertex.
class VertexDeltas {
 public:
  VertexDeltas(const Model& model, const MorphPlan& plan, const Columns& columns)
      : model_(model), plan_(plan), columns_(columns), place_of_channel_(plan.channels.size(), kNowhere) {}

  std::vector<ExactDelta> of(const VertexOrigin& origin, std::uint32_t vertex) {
    std::vector<ExactDelta> deltas;
    const Mesh& mesh = model_.meshes()[origin.mesh];
    const glm::dmat3 linear(columns_.baked_from_mesh[origin.mesh]);
    const glm::dmat3 turn = normal_matrix(linear);
    const double normal_length = glm::length(turn * origin.normal);
    for (const MovingTarget& moving : plan_.moving) {
      if (moving.mesh != origin.mesh || !moving.channel) continue;
      const MorphTarget& target = mesh.morph_targets[moving.target];
      ExactDelta delta{vertex, *moving.channel};
      if (!target.positions.empty()) delta.offset = glm::dvec3(target.positions[origin.vertex]);
      delta.position = linear * delta.offset;
      if (!target.normals.empty() && normal_length > 0.0)
        delta.normal = turn * glm::dvec3(target.normals[origin.vertex]) / normal_length;
      add(delta, deltas);
    }
    const double scale = deltas.empty() ? 0.0 : plan_.scale_at(mesh, origin.vertex);
    for (ExactDelta& delta : deltas) {
      delta.reach = scale * glm::length(delta.offset);
      place_of_channel_[delta.channel] = kNowhere;
    }
    return deltas;
  }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  void add(const ExactDelta& delta, std::vector<ExactDelta>& deltas) {
    std::size_t& place = place_of_channel_[delta.channel];
    if (place == kNowhere) {
      place = deltas.size();
      return deltas.push_back(delta);
    }
    ExactDelta& same = deltas[place];
    same.offset += delta.offset;
    same.position += delta.position;
    same.normal += delta.normal;
  }

  const Model& model_;
  const MorphPlan& plan_;
  const Columns& columns_;
  std::vector<std::size_t> place_of_channel_;  // among the deltas of the vertex that is being looked at
};

void drop_unseen(const MorphPlan& plan, std::vector<ExactDelta>& deltas) {
  const double least = kDeltaShare * plan.bound / static_cast<double>(plan.channels.size());
  std::erase_if(deltas, [&](const ExactDelta& delta) {
    const double amplitude = plan.channels[delta.channel].amplitude;
    return amplitude * delta.reach <= least && amplitude * glm::length(delta.normal) <= kUnseenTurn;
  });
}

std::array<std::int16_t, 3> in_steps(const glm::dvec3& v, float step) {
  std::array<std::int16_t, 3> out{};
  for (int i = 0; i < 3 && step > 0.0f; ++i) {
    const double steps = std::round(v[i] / static_cast<double>(step));
    out[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(std::clamp(steps, -kMostSteps, kMostSteps));
  }
  return out;
}

}  // namespace

MorphDeltas make_deltas(const Model& model, const MorphPlan& plan, const Columns& columns, const BakedMesh& mesh) {
  MorphDeltas out;
  if (!plan.any()) return out;
  VertexDeltas vertex_deltas(model, plan, columns);
  std::vector<ExactDelta> exact;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::vector<ExactDelta> some = vertex_deltas.of(mesh.origins[v], v);
    drop_unseen(plan, some);
    exact.insert(exact.end(), some.begin(), some.end());
  }
  for (const MorphChannel& channel : plan.channels) out.targets.push_back({channel.name, 0.0f, 0.0f, 0.0f, 0.0f});
  for (const ExactDelta& delta : exact) {
    BakedTarget& target = out.targets[delta.channel];
    target.position_step = std::max(target.position_step, static_cast<float>(largest(delta.position) / kMostSteps));
    target.normal_step = std::max(target.normal_step, static_cast<float>(largest(delta.normal) / kMostSteps));
  }
  for (const ExactDelta& delta : exact) {
    const BakedTarget& target = out.targets[delta.channel];
    if (out.vertices.empty() || out.vertices.back().vertex != delta.vertex) out.vertices.push_back({delta.vertex, 0});
    ++out.vertices.back().delta_count;
    out.deltas.push_back({in_steps(delta.position, target.position_step), in_steps(delta.normal, target.normal_step),
                          static_cast<std::uint16_t>(delta.channel), 0});
  }
  return out;
}

}  // namespace throng::detail::bake
