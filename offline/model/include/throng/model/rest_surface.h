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

// Likewise; where the mesh has no normals, those of its triangles at rest.
std::vector<glm::dvec3> normals_at_rest(const Mesh& mesh);

// Of each vertex the sum over the triangles around it of twice their area. Not of unit length, so that matrices turn
// sums as they turn parts; zero where there is no triangle.
std::vector<glm::dvec3> area_normals(std::span<const glm::dvec3> positions, std::span<const std::uint32_t> indices);

}  // namespace throng
