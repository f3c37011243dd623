// SPDX-License-Identifier: Apache-2.0
#include "finite.h"

#include <algorithm>

#include "throng/math/directions.h"
#include "throng/model/rest_surface.h"
#include "throng/model/tangents.h"

namespace throng::detail::import {
namespace {

// Every vector that is not finite becomes `instead`; how many did.
template <class Vector>
std::size_t replace(std::vector<Vector>& vectors, const Vector& instead) {
  std::size_t replaced = 0;
  for (Vector& vector : vectors) {
    if (is_finite(vector)) continue;
    vector = instead;
    ++replaced;
  }
  return replaced;
}

void drop_triangles(Mesh& mesh, const std::vector<bool>& broken) {
  std::vector<std::uint32_t> kept;
  kept.reserve(mesh.indices.size());
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t* corner = mesh.indices.data() + i;
    if (broken[corner[0]] || broken[corner[1]] || broken[corner[2]]) continue;
    kept.insert(kept.end(), corner, corner + 3);
  }
  mesh.indices = std::move(kept);
}

// A vertex without triangles stays, so that the others keep their numbers; it lies where it widens no bounds.
void mend_positions(Mesh& mesh, Mender& mender) {
  std::vector<bool> broken(mesh.positions.size());
  std::transform(mesh.positions.begin(), mesh.positions.end(), broken.begin(),
                 [](const glm::vec3& position) { return !is_finite(position); });
  const auto count = std::count(broken.begin(), broken.end(), true);
  if (count == 0) return;
  mender.count(Fault::vertex, static_cast<std::uint64_t>(count));
  drop_triangles(mesh, broken);
  const auto sound = std::find_if(mesh.positions.begin(), mesh.positions.end(),
                                  [](const glm::vec3& position) { return is_finite(position); });
  replace(mesh.positions, sound == mesh.positions.end() ? glm::vec3(0.0f) : glm::vec3(*sound));
}

void mend_normals(Mesh& mesh, Mender& mender) {
  if (are_finite(mesh.normals)) return;
  const std::vector<glm::dvec3> positions(mesh.positions.begin(), mesh.positions.end());
  const std::vector<glm::dvec3> computed = area_normals(positions, mesh.indices);
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    if (is_finite(mesh.normals[v])) continue;
    mesh.normals[v] = glm::vec3(unit_or(computed[v], {0.0, 1.0, 0.0}));
    mender.count(Fault::normal);
  }
}

// Makes them from the texture coordinates, as the bake makes tangents where a model has none.
void mend_tangents(Mesh& mesh, Mender& mender) {
  if (are_finite(mesh.tangents)) return;
  const std::vector<glm::dvec3> positions(mesh.positions.begin(), mesh.positions.end());
  const std::vector<glm::dvec3> normals(mesh.normals.begin(), mesh.normals.end());
  std::size_t without_direction = 0;  // what has no texture coordinates lies across its normal
  const std::vector<glm::dvec4> computed =
      tangents_from_uvs({positions, normals, mesh.uvs, mesh.indices}, without_direction);
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    if (is_finite(mesh.tangents[v])) continue;
    mesh.tangents[v] = glm::vec4(computed[v]);
    mender.count(Fault::tangent);
  }
}

}  // namespace

void mend_numbers(Mesh& mesh, Mender& mender) {
  mend_positions(mesh, mender);
  mend_normals(mesh, mender);
  std::size_t others = replace(mesh.uvs, glm::vec2(0.0f)) + replace(mesh.colours, glm::vec4(1.0f));
  mend_tangents(mesh, mender);
  for (MorphTarget& target : mesh.morph_targets)
    others += replace(target.positions, glm::vec3(0.0f)) + replace(target.normals, glm::vec3(0.0f));
  mender.count(Fault::attribute_value, others);
}

}  // namespace throng::detail::import
