// SPDX-License-Identifier: Apache-2.0
#pragma once
// A mesh's surface at rest, and what it is taken to be where the source says nothing: decided here for near and far
// characters alike.

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// In mesh space, with its morph targets as far in as they are at rest.
std::vector<glm::dvec3> positions_at_rest(const Mesh& mesh);

// In mesh space, of morph targets as they are at rest; where the mesh has no normals, those of its triangles.
std::vector<glm::dvec3> normals_at_rest(const Mesh& mesh);

// The whole of it, completed with what the source may lack.
struct RestSurface {
  std::vector<glm::dvec3> positions;           // positions_at_rest
  std::vector<glm::dvec3> normals;             // normals_at_rest
  std::vector<glm::dvec4> tangents;            // unit length, w: −1 or 1; empty unless asked for
  std::size_t tangents_without_direction = 0;  // of those that were computed
};

// With `tangents`: the mesh's own or, where it has none, those that its texture coordinates give.
RestSurface rest_surface(const Mesh& mesh, bool tangents);

// The rest surface of every mesh of a model, in their order; only meshes with triangles get tangents.
std::vector<RestSurface> rest_surfaces(const Model& model, bool tangents);

// For each vertex the sum, over the triangles around it, of the normal times twice the area. Not of unit length, so
// that matrices turn sums as they turn summands; zero where there is no triangle.
std::vector<glm::dvec3> area_normals(std::span<const glm::dvec3> positions, std::span<const std::uint32_t> indices);

}  // namespace throng
