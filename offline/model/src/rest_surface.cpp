// SPDX-License-Identifier: Apache-2.0
#include "throng/model/rest_surface.h"

#include "throng/model/drawn.h"
#include "throng/model/tangents.h"

namespace throng {
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

}  // namespace

std::vector<glm::dvec3> positions_at_rest(const Mesh& mesh) {
  return with_morphs(mesh, mesh.positions, &MorphTarget::positions);
}

std::vector<glm::dvec3> normals_at_rest(const Mesh& mesh) {
  if (mesh.normals.empty()) return area_normals(positions_at_rest(mesh), mesh.indices);
  return with_morphs(mesh, mesh.normals, &MorphTarget::normals);
}

RestSurface rest_surface(const Mesh& mesh, bool tangents) {
  RestSurface out;
  out.positions = positions_at_rest(mesh);
  out.normals = normals_at_rest(mesh);
  if (!tangents) return out;
  if (mesh.tangents.empty())
    out.tangents =
        tangents_from_uvs({out.positions, out.normals, mesh.uvs, mesh.indices}, out.tangents_without_direction);
  else
    out.tangents.assign(mesh.tangents.begin(), mesh.tangents.end());
  return out;
}

std::vector<RestSurface> rest_surfaces(const Model& model, bool tangents) {
  std::vector<RestSurface> all;
  for (const Mesh& mesh : model.meshes()) all.push_back(rest_surface(mesh, tangents && is_drawn(mesh)));
  return all;
}

std::vector<glm::dvec3> area_normals(std::span<const glm::dvec3> positions, std::span<const std::uint32_t> indices) {
  std::vector<glm::dvec3> normals(positions.size(), glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const glm::dvec3& apex = positions[indices[i]];
    const glm::dvec3 twice_area = glm::cross(positions[indices[i + 1]] - apex, positions[indices[i + 2]] - apex);
    for (std::size_t k = 0; k < 3; ++k) normals[indices[i + k]] += twice_area;
  }
  return normals;
}

}  // namespace throng
