// SPDX-License-Identifier: Apache-2.0
#pragma once
// The meshes of a model with their surfaces at rest, and what matrices make of the normals and tangents of those, in
// double.

#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <vector>

#include "throng/model/rest_surface.h"

namespace throng::detail::bake {

// What was made up, over all meshes of a model.
struct MeshCounts {
  std::size_t meshes_without_normals = 0;
  std::size_t normals_without_direction = 0;
  std::size_t meshes_without_tangents = 0;
  std::size_t tangents_without_direction = 0;

  void tell(std::vector<std::string>& notes) const;
};

// Surfaces are completed once, for all that read them: the far mesh, its levels of detail and the near mesh.
struct SourceMeshes {
  SourceMeshes(const Model& its_model, bool tangents);

  const Model& model;
  std::shared_ptr<const std::vector<RestSurface>> surfaces;  // of every mesh
};

// A vector of unit length; +Y, counted, where it has no direction.
glm::dvec3 unit_or_up(const glm::dvec3& v, std::size_t& without_direction);

// model_from_mesh of every binding, and its normal matrix.
struct SourcePalette {
  explicit SourcePalette(std::vector<glm::dmat4> model_from_mesh, bool with_normals = true);

  std::vector<glm::dmat4> points;
  std::vector<glm::dmat3> normals;
};

// A tangent goes with the surface and stays orthogonal to the normal it had made; mirrored, it changes sides.
glm::dvec4 moved_tangent(const glm::dmat3& model_from_mesh, const glm::dvec3& moved_normal, const glm::dvec4& tangent,
                         std::size_t& without_direction);

}  // namespace throng::detail::bake
