// SPDX-License-Identifier: Apache-2.0
#include "mesh/source_mesh.h"

#include <fmt/format.h>

#include <cmath>

#include "mesh/tangents.h"
#include "throng/math/directions.h"
#include "throng/pose/pose.h"

namespace throng::detail::bake {
namespace {

std::vector<glm::dvec3> with_morphs(const Mesh& mesh, const std::vector<glm::vec3>& values,
                                    std::vector<glm::vec3> MorphTarget::*channel) {
  std::vector<glm::dvec3> out(values.begin(), values.end());
  for (std::size_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].*channel;
    const double weight = static_cast<double>(mesh.morph_weights[target]);
    if (weight == 0.0 || offsets.empty()) continue;
    for (std::size_t v = 0; v < out.size(); ++v) out[v] += weight * glm::dvec3(offsets[v]);
  }
  return out;
}

// Twice the area of the triangles around each vertex: not of unit length, so that matrices turn sums as they turn
// parts.
std::vector<glm::dvec3> face_normals(const std::vector<glm::dvec3>& positions,
                                     const std::vector<std::uint32_t>& indices) {
  std::vector<glm::dvec3> normals(positions.size(), glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const glm::dvec3& apex = positions[indices[i]];
    const glm::dvec3 twice_area = glm::cross(positions[indices[i + 1]] - apex, positions[indices[i + 2]] - apex);
    for (std::size_t k = 0; k < 3; ++k) normals[indices[i + k]] += twice_area;
  }
  return normals;
}

}  // namespace

void MeshCounts::tell(std::vector<std::string>& notes) const {
  if (meshes_without_normals > 0) {
    notes.push_back(fmt::format("{} meshes have no normals: computed from their triangles", meshes_without_normals));
  }
  if (normals_without_direction > 0) {
    notes.push_back(fmt::format("{} vertices have a normal without direction: pointed up", normals_without_direction));
  }
  if (meshes_without_tangents > 0) {
    notes.push_back(
        fmt::format("{} meshes have no tangents: computed from their texture coordinates", meshes_without_tangents));
  }
  if (tangents_without_direction > 0) {
    notes.push_back(fmt::format("{} vertices have texture coordinates that give no tangent: any direction taken",
                                tangents_without_direction));
  }
}

SourceMesh complete_mesh(const Mesh& mesh, bool tangents, MeshCounts& counts) {
  SourceMesh out;
  out.positions = with_morphs(mesh, mesh.positions, &MorphTarget::positions);
  if (mesh.normals.empty()) {
    ++counts.meshes_without_normals;
    out.normals = face_normals(out.positions, mesh.indices);
  } else {
    out.normals = with_morphs(mesh, mesh.normals, &MorphTarget::normals);
  }
  if (!tangents) return out;
  if (mesh.tangents.empty()) {
    ++counts.meshes_without_tangents;
    out.tangents =
        tangents_from_uvs({out.positions, out.normals, mesh.uvs, mesh.indices}, counts.tangents_without_direction);
  } else {
    out.tangents.assign(mesh.tangents.begin(), mesh.tangents.end());
  }
  return out;
}

glm::dvec3 unit_or_up(const glm::dvec3& v, std::size_t& without_direction) {
  const double length = glm::length(v);
  if (length > kNoLength) return v / length;
  ++without_direction;
  return {0.0, 1.0, 0.0};
}

SourcePalette::SourcePalette(std::vector<glm::dmat4> model_from_mesh, bool with_normals)
    : points(std::move(model_from_mesh)) {
  if (!with_normals) return;
  normals.reserve(points.size());
  for (const glm::dmat4& m : points) normals.push_back(normal_matrix(glm::dmat3(m)));
}

glm::dvec4 moved_tangent(const glm::dmat3& model_from_mesh, const glm::dvec3& moved_normal, const glm::dvec4& tangent,
                         std::size_t& without_direction) {
  const double side = glm::determinant(model_from_mesh) < 0.0 ? -tangent.w : tangent.w;
  return orthonormal_tangent(moved_normal, {model_from_mesh * glm::dvec3(tangent), side}, without_direction);
}

}  // namespace throng::detail::bake
