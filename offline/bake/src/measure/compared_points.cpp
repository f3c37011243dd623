// SPDX-License-Identifier: Apache-2.0
#include "measure/compared_points.h"

#include <algorithm>
#include <tuple>

namespace throng::detail::bake {
namespace {

ComparedPoint point_of(const Model& model, const VertexOrigin& origin, const BakedVertex& baked, std::uint32_t index) {
  ComparedPoint point;
  std::size_t from = 0;
  for_each_influence(model.meshes()[origin.mesh], origin.vertex, [&](std::uint16_t binding, float weight) {
    point.bound.bindings[from] = binding;
    point.bound.source_weights[from++] = static_cast<double>(weight);
  });
  std::size_t to = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (baked.weights[i] != 0) {
      point.bound.columns[to] = baked.bones[i];
      point.bound.baked_weights[to++] = baked.weights[i] / 65535.0;
    }
  }
  point.vertex = index;
  point.count = 1;
  return point;
}

template <std::size_t kInfluences>
std::uint32_t count_weights(const std::array<double, kInfluences>& weights) {
  std::uint32_t count = 0;
  while (count < kInfluences && weights[count] != 0.0) ++count;
  return count;
}

// What points of one block must have in common.
auto bones_of(const ComparedPoint& p) {
  return std::make_tuple(p.morphed, p.bound.columns, p.bound.bindings, count_weights(p.bound.baked_weights),
                         count_weights(p.bound.source_weights));
}

auto rest_of(const ComparedPoint& p) {
  return std::tie(p.bound.baked_weights, p.bound.source_weights, p.baked.x, p.baked.y, p.baked.z, p.source.x,
                  p.source.y, p.source.z);
}

bool same(const ComparedPoint& a, const ComparedPoint& b) {
  return !a.morphed && bones_of(a) == bones_of(b) && rest_of(a) == rest_of(b);
}

bool comes_before(const ComparedPoint& a, const ComparedPoint& b) {
  if (const auto order = bones_of(a) <=> bones_of(b); order != 0) return order < 0;
  if (rest_of(a) < rest_of(b)) return true;
  return !(rest_of(b) < rest_of(a)) && a.vertex < b.vertex;
}

// Sorted by what moves them; of alike ones the first vertex is kept.
void merge_alike(std::vector<ComparedPoint>& points) {
  std::sort(points.begin(), points.end(), comes_before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && same(points[kept - 1], points[i])) {
      points[kept - 1].count += points[i].count;
    } else {
      points[kept++] = points[i];
    }
  }
  points.resize(kept);
}

template <std::size_t kInfluences>
void put(BoundPoints4<kInfluences>& side, std::size_t lane, const glm::dvec3& point,
         const std::array<double, kInfluences>& weights) {
  side.points.x.set(lane, point.x);
  side.points.y.set(lane, point.y);
  side.points.z.set(lane, point.z);
  for (std::size_t i = 0; i < kInfluences; ++i) side.weights[i].set(lane, weights[i]);
}

std::vector<ComparedBlock> in_blocks(const std::vector<ComparedPoint>& points) {
  std::vector<ComparedBlock> blocks;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t end = first + 1;
    while (end < points.size() && end < first + 4 && bones_of(points[end]) == bones_of(points[first])) ++end;
    ComparedBlock block;
    const Bound& bound = points[first].bound;
    block.source.bones = bound.bindings;
    block.source.influence_count = count_weights(bound.source_weights);
    block.baked.bones = bound.columns;
    block.baked.influence_count = count_weights(bound.baked_weights);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const ComparedPoint& point = points[std::min(first + lane, end - 1)];
      put(block.source, lane, point.source, point.bound.source_weights);
      put(block.baked, lane, point.baked, point.bound.baked_weights);
      block.vertex[lane] = point.vertex;
      block.count[lane] = first + lane < end ? point.count : 0;
      block.weight.set(lane, block.count[lane]);
    }
    blocks.push_back(block);
    first = end;
  }
  return blocks;
}

// The six axes and the eight corners.
std::vector<glm::dvec3> directions() {
  std::vector<glm::dvec3> out;
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 direction(0.0);
    direction[axis] = 1.0;
    out.push_back(direction);
    out.push_back(-direction);
  }
  for (int corner = 0; corner < 8; ++corner) {
    out.emplace_back((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, (corner & 4) != 0 ? 1.0 : -1.0);
  }
  return out;
}

// What morph targets add to the vertices of a mesh, in the source and as it is baked.
class VertexMorphs {
 public:
  VertexMorphs(const Model& model, const BakedMesh& mesh, const MorphPlan& plan, const MorphDeltas& deltas)
      : model_(model), mesh_(mesh), plan_(plan), deltas_(deltas), runs_(mesh.vertices.size() + 1, 0) {
    for (const MorphedVertex& vertex : deltas.vertices) runs_[vertex.vertex + 1] = vertex.delta_count;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) runs_[v + 1] += runs_[v];
  }

  bool moves(std::uint32_t vertex) const {
    if (runs_[vertex] < runs_[vertex + 1]) return true;
    for (const MovingTarget& moving : plan_.moving) {
      for (const bool normals : {false, true}) {
        if (source_delta(moving, vertex, normals) != glm::dvec3(0.0)) return true;
      }
    }
    return false;
  }

  // Puts the blocks' morphed points into `morphs`.
  void fill(bool normals, std::vector<ComparedBlock>& blocks, std::vector<PointMorph>& morphs) const {
    for (ComparedBlock& block : blocks) {
      fill_source(block, normals, morphs);
      fill_baked(block, normals, morphs);
    }
  }

 private:
  glm::dvec3 source_delta(const MovingTarget& moving, std::uint32_t vertex, bool normals) const {
    const VertexOrigin& origin = mesh_.origins[vertex];
    if (origin.mesh != moving.mesh) return glm::dvec3(0.0);
    const MorphTarget& target = model_.meshes()[moving.mesh].morph_targets[moving.target];
    const std::vector<glm::vec3>& offsets = normals ? target.normals : target.positions;
    const double length = normals ? glm::length(origin.normal) : 1.0;
    if (offsets.empty() || !(length > 0.0)) return glm::dvec3(0.0);
    return glm::dvec3(offsets[origin.vertex]) / length;
  }

  glm::dvec3 baked_delta(std::uint32_t index, bool normals) const {
    const BakedDelta& delta = deltas_.deltas[index];
    const BakedTarget& target = deltas_.targets[delta.target];
    const auto& steps = normals ? delta.normal : delta.position;
    return static_cast<double>(normals ? target.normal_step : target.position_step) *
           glm::dvec3(steps[0], steps[1], steps[2]);
  }

  static void set(const glm::dvec3& delta, std::size_t lane, PointMorph& morph) {
    morph.delta.x.set(lane, delta.x);
    morph.delta.y.set(lane, delta.y);
    morph.delta.z.set(lane, delta.z);
  }

  void fill_source(ComparedBlock& block, bool normals, std::vector<PointMorph>& morphs) const {
    block.source.first_morph = static_cast<std::uint32_t>(morphs.size());
    for (std::uint32_t number = 0; number < plan_.moving.size(); ++number) {
      PointMorph morph{number, {}};
      bool any = false;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const glm::dvec3 delta = source_delta(plan_.moving[number], block.vertex[lane], normals);
        any = any || delta != glm::dvec3(0.0);
        set(delta, lane, morph);
      }
      if (any) morphs.push_back(morph);
    }
    block.source.morph_count = static_cast<std::uint32_t>(morphs.size()) - block.source.first_morph;
  }

  // By target: each has one of four lanes or more. There may be very many, so none is looked for.
  void fill_baked(ComparedBlock& block, bool normals, std::vector<PointMorph>& morphs) const {
    struct InLane {
      std::uint32_t target, lane, delta;
    };
    std::vector<InLane> here;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t vertex = block.vertex[lane];
      for (std::uint32_t i = runs_[vertex]; i < runs_[vertex + 1]; ++i)
        here.push_back({deltas_.deltas[i].target, lane, i});
    }
    std::ranges::stable_sort(here, {}, &InLane::target);
    block.baked.first_morph = static_cast<std::uint32_t>(morphs.size());
    for (std::size_t i = 0; i < here.size();) {
      PointMorph morph{here[i].target, {}};
      bool any = false;
      for (const std::uint32_t target = here[i].target; i < here.size() && here[i].target == target; ++i) {
        const glm::dvec3 delta = baked_delta(here[i].delta, normals);
        any = any || delta != glm::dvec3(0.0);
        set(delta, here[i].lane, morph);
      }
      if (any) morphs.push_back(morph);
    }
    block.baked.morph_count = static_cast<std::uint32_t>(morphs.size()) - block.baked.first_morph;
  }

  const Model& model_;
  const BakedMesh& mesh_;
  const MorphPlan& plan_;
  const MorphDeltas& deltas_;
  std::vector<std::uint32_t> runs_;  // the first delta of every vertex, and one more
};

ComparedPoints points_of(const Model& model, const BakedMesh& mesh, const VertexMorphs* morphs) {
  ComparedPoints out;
  std::vector<ComparedPoint> normals;
  out.all.reserve(mesh.vertices.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const VertexOrigin& origin = mesh.origins[v];
    ComparedPoint point = point_of(model, origin, mesh.vertices[v], v);
    point.morphed = morphs != nullptr && morphs->moves(v);
    point.source = origin.position;
    point.baked = glm::dvec3(mesh.vertices[v].position);
    out.all.push_back(point);
    if (!(glm::dot(origin.normal, origin.normal) > 0.0)) continue;
    point.source = glm::normalize(origin.normal);
    point.baked = glm::normalize(glm::dvec3(mesh.vertices[v].normal));
    normals.push_back(point);
  }
  merge_alike(out.all);
  merge_alike(normals);
  out.positions = in_blocks(out.all);
  out.normals = in_blocks(normals);
  return out;
}

}  // namespace

ComparedPoints compared_points(const Model& model, const BakedMesh& mesh) { return points_of(model, mesh, nullptr); }

ComparedPoints compared_points(const Model& model, const BakedMesh& mesh, const MorphPlan& plan,
                               const MorphDeltas& deltas) {
  const VertexMorphs morphs(model, mesh, plan, deltas);
  ComparedPoints out = points_of(model, mesh, &morphs);
  out.moving = plan.moving;
  morphs.fill(false, out.positions, out.morphs);
  morphs.fill(true, out.normals, out.morphs);
  return out;
}

ComparedPoints extreme_points(const ComparedPoints& points, std::size_t columns) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::vector<glm::dvec3> ways = directions();
  std::vector<std::size_t> farthest(columns * ways.size(), kNone);
  for (std::size_t i = 0; i < points.all.size(); ++i) {
    const ComparedPoint& point = points.all[i];
    for (std::size_t way = 0; way < ways.size(); ++way) {
      std::size_t& best = farthest[point.bound.columns[0] * ways.size() + way];
      if (best == kNone || glm::dot(ways[way], point.baked - points.all[best].baked) > 0.0) best = i;
    }
  }
  std::sort(farthest.begin(), farthest.end());
  farthest.erase(std::unique(farthest.begin(), farthest.end()), farthest.end());
  ComparedPoints out;
  for (const std::size_t i : farthest) {
    if (i != kNone) out.all.push_back(points.all[i]);
  }
  out.positions = in_blocks(out.all);
  return out;
}

}  // namespace throng::detail::bake
