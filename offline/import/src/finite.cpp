// SPDX-License-Identifier: Apache-2.0
#include "finite.h"

#include <algorithm>
#include <cmath>

#include "throng/math/directions.h"

namespace throng::detail::import {
namespace {

template <class Vector>
bool finite(const Vector& vector) {
  for (glm::length_t i = 0; i < Vector::length(); ++i) {
    if (!std::isfinite(vector[i])) return false;
  }
  return true;
}

// Every vector that is not finite becomes `instead`; how many did.
template <class Vector>
std::size_t replace(std::vector<Vector>& vectors, const Vector& instead) {
  std::size_t replaced = 0;
  for (Vector& vector : vectors) {
    if (finite(vector)) continue;
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
                 [](const glm::vec3& position) { return !finite(position); });
  const auto count = std::count(broken.begin(), broken.end(), true);
  if (count == 0) return;
  mender.count(Fault::vertex, static_cast<std::uint64_t>(count));
  drop_triangles(mesh, broken);
  const auto sound = std::find_if(mesh.positions.begin(), mesh.positions.end(), finite<glm::vec3>);
  replace(mesh.positions, sound == mesh.positions.end() ? glm::vec3(0.0f) : glm::vec3(*sound));
}

// By the triangles around each vertex, larger ones counting more; up where there are none.
std::vector<glm::vec3> computed_normals(const Mesh& mesh) {
  std::vector<glm::dvec3> sums(mesh.positions.size(), glm::dvec3(0.0));
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const std::uint32_t* corner = mesh.indices.data() + i;
    const glm::dvec3 a(mesh.positions[corner[0]]);
    const glm::dvec3 across =
        glm::cross(glm::dvec3(mesh.positions[corner[1]]) - a, glm::dvec3(mesh.positions[corner[2]]) - a);
    for (std::size_t k = 0; k < 3; ++k) sums[corner[k]] += across;
  }
  std::vector<glm::vec3> normals;
  normals.reserve(sums.size());
  for (const glm::dvec3& sum : sums) {
    const double length = glm::length(sum);
    const bool known = length > 0.0 && std::isfinite(length);
    normals.push_back(known ? glm::vec3(sum / length) : glm::vec3(0.0f, 1.0f, 0.0f));
  }
  return normals;
}

void mend_normals(Mesh& mesh, Mender& mender) {
  if (std::all_of(mesh.normals.begin(), mesh.normals.end(), finite<glm::vec3>)) return;
  const std::vector<glm::vec3> computed = computed_normals(mesh);
  for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
    if (finite(mesh.normals[v])) continue;
    mesh.normals[v] = computed[v];
    mender.count(Fault::normal);
  }
}

void mend_tangents(Mesh& mesh, Mender& mender) {
  for (std::size_t v = 0; v < mesh.tangents.size(); ++v) {
    if (finite(mesh.tangents[v])) continue;
    mesh.tangents[v] = glm::vec4(glm::vec3(perpendicular(glm::dvec3(mesh.normals[v]))), 1.0f);
    mender.count(Fault::tangent);
  }
}

}  // namespace

void mend_numbers(Mesh& mesh, Mender& mender) {
  mend_positions(mesh, mender);
  mend_normals(mesh, mender);
  mend_tangents(mesh, mender);
  std::size_t others = replace(mesh.uvs, glm::vec2(0.0f)) + replace(mesh.colours, glm::vec4(1.0f));
  for (MorphTarget& target : mesh.morph_targets)
    others += replace(target.positions, glm::vec3(0.0f)) + replace(target.normals, glm::vec3(0.0f));
  mender.count(Fault::attribute_value, others);
}

}  // namespace throng::detail::import
