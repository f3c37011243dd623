// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh as its source has it, in its own space, completed with what the bake wants and the source may lack; and what a
// palette makes of one of its vertices, in double.

#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "throng/model/model.h"

namespace throng::detail::bake {

// What was made up, over all meshes of a model.
struct MeshCounts {
  std::size_t meshes_without_normals = 0;
  std::size_t normals_without_direction = 0;
  std::size_t meshes_without_tangents = 0;
  std::size_t tangents_without_direction = 0;

  void tell(std::vector<std::string>& notes) const;
};

struct SourceMesh {
  std::vector<glm::dvec3> positions;  // morph targets at rest applied
  std::vector<glm::dvec3> normals;    // normals_at_rest
  std::vector<glm::dvec4> tangents;   // unit length, w: −1 or 1; empty unless asked for
};

SourceMesh complete_mesh(const Mesh& mesh, bool tangents, MeshCounts& counts);

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
