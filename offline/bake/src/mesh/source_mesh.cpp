// SPDX-License-Identifier: Apache-2.0
#include "mesh/source_mesh.h"

#include <fmt/format.h>

#include <cmath>

#include "throng/base/text.h"
#include "throng/math/directions.h"
#include "throng/model/tangents.h"
#include "throng/pose/pose.h"

namespace throng::detail::bake {

void MeshCounts::tell(std::vector<std::string>& notes) const {
  if (meshes_without_normals > 0) {
    notes.push_back(
        in_number(meshes_without_normals, "[mesh has|meshes have] no normals: computed from [its|their] triangles"));
  }
  if (normals_without_direction > 0) {
    notes.push_back(
        in_number(normals_without_direction, "[vertex has|vertices have] a normal without direction: pointed up"));
  }
  if (meshes_without_tangents > 0) {
    notes.push_back(in_number(meshes_without_tangents,
                              "[mesh has|meshes have] no tangents: computed from [its|their] texture coordinates"));
  }
  if (tangents_without_direction > 0) {
    notes.push_back(
        in_number(tangents_without_direction,
                  "[vertex has|vertices have] texture coordinates that give no tangent: any direction taken"));
  }
}

SourceMeshes::SourceMeshes(const Model& its_model, bool tangents)
    : model(its_model),
      surfaces(std::make_shared<const std::vector<RestSurface>>(rest_surfaces(its_model, tangents))) {}

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
