#include "compared_points.h"

#include <algorithm>
#include <tuple>

namespace throng {
namespace {

ComparedPoint point_of(const Model& model, const VertexOrigin& origin, const BakedVertex& baked, std::uint32_t index) {
  const Influences& influences = model.meshes()[origin.mesh].influences[origin.vertex];
  ComparedPoint point;
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (influences.weights[i] != 0.0f) {
      point.bound.bindings[from] = influences.bindings[i];
      point.bound.source_weights[from++] = static_cast<double>(influences.weights[i]);
    }
    if (baked.weights[i] != 0) {
      point.bound.columns[to] = baked.bones[i];
      point.bound.baked_weights[to++] = baked.weights[i] / 65535.0;
    }
  }
  point.vertex = index;
  point.count = 1;
  return point;
}

// Sorted by what moves them, so that neighbours read the same matrices; of alike ones the first vertex is kept.
void merge_alike(std::vector<ComparedPoint>& points) {
  const auto key = [](const ComparedPoint& p) {
    return std::tie(p.bound.columns, p.bound.baked_weights, p.bound.bindings, p.bound.source_weights, p.baked.x,
                    p.baked.y, p.baked.z, p.source.x, p.source.y, p.source.z);
  };
  std::sort(points.begin(), points.end(), [&](const ComparedPoint& a, const ComparedPoint& b) {
    if (key(a) < key(b)) return true;
    return !(key(b) < key(a)) && a.vertex < b.vertex;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && key(points[kept - 1]) == key(points[i])) {
      points[kept - 1].count += points[i].count;
    } else {
      points[kept++] = points[i];
    }
  }
  points.resize(kept);
}

}  // namespace

ComparedPoints compared_points(const Model& model, const BakedMesh& mesh) {
  ComparedPoints out;
  out.positions.reserve(mesh.vertices.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const VertexOrigin& origin = mesh.origins[v];
    ComparedPoint point = point_of(model, origin, mesh.vertices[v], v);
    point.source = origin.position;
    point.baked = glm::dvec3(mesh.vertices[v].position);
    out.positions.push_back(point);
    if (!(glm::dot(origin.normal, origin.normal) > 0.0)) continue;
    point.source = origin.normal;
    point.baked = glm::dvec3(mesh.vertices[v].normal);
    out.normals.push_back(point);
  }
  merge_alike(out.positions);
  merge_alike(out.normals);
  return out;
}

}  // namespace throng
