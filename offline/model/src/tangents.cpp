// SPDX-License-Identifier: Apache-2.0
#include "throng/model/tangents.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>

#include "throng/math/directions.h"

namespace throng {
namespace {

constexpr double kNothingLeft = 1e-12;  // of a part of a unit vector: nothing is left of it but rounding

struct Frame {
  glm::dvec3 along_u{0.0};
  glm::dvec3 along_v{0.0};
};

glm::dvec3 unit_or_zero(const glm::dvec3& v) { return unit_or(v, glm::dvec3(0.0)); }

// Numbers of the distinct vertices: those with the same position, normal and uv have the same.
std::vector<std::uint32_t> shared_vertices(const TangentInput& mesh) {
  struct Key {
    glm::vec3 position, normal;
    glm::vec2 uv;
  };
  std::vector<Key> keys(mesh.positions.size());
  for (std::size_t v = 0; v < keys.size(); ++v) {
    keys[v] = {glm::vec3(mesh.positions[v]), glm::vec3(mesh.normals[v]), mesh.uvs[v]};
  }
  std::vector<std::uint32_t> shared(keys.size());
  meshopt_generateVertexRemap(shared.data(), nullptr, keys.size(), keys.data(), keys.size(), sizeof(Key));
  return shared;
}

// Directions in which u and v grow on a triangle; zero where its uvs span no area.
Frame triangle_frame(const TangentInput& mesh, const std::uint32_t* corner) {
  const glm::dvec3 e1 = mesh.positions[corner[1]] - mesh.positions[corner[0]];
  const glm::dvec3 e2 = mesh.positions[corner[2]] - mesh.positions[corner[0]];
  const glm::dvec2 d1 = glm::dvec2(mesh.uvs[corner[1]]) - glm::dvec2(mesh.uvs[corner[0]]);
  const glm::dvec2 d2 = glm::dvec2(mesh.uvs[corner[2]]) - glm::dvec2(mesh.uvs[corner[0]]);
  const double area = d1.x * d2.y - d2.x * d1.y;
  if (area == 0.0 || !std::isfinite(area)) return {};
  const double side = area < 0.0 ? -1.0 : 1.0;
  return {unit_or_zero((e1 * d2.y - e2 * d1.y) * side), unit_or_zero((e2 * d1.x - e1 * d2.x) * side)};
}

double angle_at(const TangentInput& mesh, const std::uint32_t* corner, int k) {
  const glm::dvec3& apex = mesh.positions[corner[k]];
  const glm::dvec3 a = unit_or_zero(mesh.positions[corner[(k + 1) % 3]] - apex);
  const glm::dvec3 b = unit_or_zero(mesh.positions[corner[(k + 2) % 3]] - apex);
  return std::acos(std::clamp(glm::dot(a, b), -1.0, 1.0));
}

}  // namespace

glm::dvec4 orthonormal_tangent(const glm::dvec3& normal, const glm::dvec4& tangent, std::size_t& without_direction) {
  const glm::dvec3 along = unit_or_zero(glm::dvec3(tangent));
  const glm::dvec3 flat = along - normal * glm::dot(normal, along);
  const double side = tangent.w < 0.0 ? -1.0 : 1.0;
  if (glm::length(flat) > kNothingLeft) return {glm::normalize(flat), side};
  ++without_direction;
  return {perpendicular(normal), side};
}

std::vector<glm::dvec4> tangents_from_uvs(const TangentInput& mesh, std::size_t& without_direction) {
  std::vector<Frame> sums(mesh.positions.size());
  std::vector<std::uint32_t> shared;
  if (!mesh.uvs.empty()) shared = shared_vertices(mesh);
  for (std::size_t i = 0; i + 2 < mesh.indices.size() && !shared.empty(); i += 3) {
    const std::uint32_t* const corner = &mesh.indices[i];
    const Frame frame = triangle_frame(mesh, corner);
    for (int k = 0; k < 3; ++k) {
      const double weight = angle_at(mesh, corner, k);
      Frame& sum = sums[shared[corner[k]]];
      sum.along_u += weight * frame.along_u;
      sum.along_v += weight * frame.along_v;
    }
  }
  std::vector<glm::dvec4> tangents(mesh.positions.size());
  for (std::size_t v = 0; v < tangents.size(); ++v) {
    const Frame& sum = sums[shared.empty() ? v : shared[v]];
    const glm::dvec3 normal = unit_or_zero(mesh.normals[v]);
    const double side = glm::dot(glm::cross(normal, sum.along_u), sum.along_v) < 0.0 ? -1.0 : 1.0;
    tangents[v] = orthonormal_tangent(normal, {sum.along_u, side}, without_direction);
  }
  return tangents;
}

}  // namespace throng
