// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tangents: the direction in which a texture's u grows along a surface, for normal maps. Importers mend with them, and
// the bake makes them where a model has none.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace throng {

// A tangent made orthonormal to a unit normal, its side kept; any perpendicular, counted in `without_direction`, where
// it lies along the normal or has no length.
glm::dvec4 orthonormal_tangent(const glm::dvec3& normal, const glm::dvec4& tangent, std::size_t& without_direction);

// What tangents are made of: one of each per vertex, three indices a triangle. Without uvs no tangent has a direction.
struct TangentInput {
  std::span<const glm::dvec3> positions;
  std::span<const glm::dvec3> normals;  // of any length
  std::span<const glm::vec2> uvs;
  std::span<const std::uint32_t> indices;
};

// One unit tangent per vertex, orthogonal to its normal; w is the side of the bitangent cross(normal, tangent) · w in
// which v grows. Triangles count by their angle at the vertex; vertices with the same position, normal and uv share
// their triangles, so that splitting a mesh there changes nothing.
std::vector<glm::dvec4> tangents_from_uvs(const TangentInput& mesh, std::size_t& without_direction);

}  // namespace throng
