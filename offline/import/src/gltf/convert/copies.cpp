// SPDX-License-Identifier: Apache-2.0
#include "gltf/convert/copies.h"

#include <utility>

#include "throng/math/directions.h"

namespace throng::detail::gltf {
namespace {

// How one copy lies.
struct Placed {
  explicit Placed(const Transform& place)
      : translation(place.translation),
        linear(to_matrix(place)),
        of_normals(normal_matrix(linear)),
        mirrored(glm::determinant(linear) < 0.0) {}

  glm::dvec3 translation;
  glm::dmat3 linear;
  glm::dmat3 of_normals;
  bool mirrored;
};

template <class T>
void repeat(std::vector<T>& values, std::size_t times) {
  const std::vector<T> once = std::exchange(values, {});
  values.reserve(once.size() * times);
  for (std::size_t i = 0; i < times; ++i) values.insert(values.end(), once.begin(), once.end());
}

// `mesh` holds all copies, unplaced; the vertices from `first` on are one of them.
void place_vertices(const Placed& placed, std::size_t first, std::size_t count, Mesh& mesh) {
  for (std::size_t v = first; v < first + count; ++v) {
    mesh.positions[v] = glm::vec3(placed.linear * glm::dvec3(mesh.positions[v]) + placed.translation);
    double shrunk = 1.0;
    if (!mesh.normals.empty()) {
      const glm::dvec3 normal(mesh.normals[v]);
      const glm::dvec3 turned = placed.of_normals * normal;
      shrunk = glm::length(turned);
      mesh.normals[v] = glm::vec3(unit_or(turned, normal));
    }
    if (!mesh.tangents.empty()) {
      const glm::dvec3 tangent(mesh.tangents[v]);
      const float side = placed.mirrored ? -mesh.tangents[v].w : mesh.tangents[v].w;
      mesh.tangents[v] = glm::vec4(glm::vec3(unit_or(placed.linear * tangent, tangent)), side);
    }
    for (MorphTarget& target : mesh.morph_targets) {
      target.positions[v] = glm::vec3(placed.linear * glm::dvec3(target.positions[v]));
      if (target.normals.empty() || shrunk == 0.0) continue;
      target.normals[v] = glm::vec3(placed.of_normals * glm::dvec3(target.normals[v]) / shrunk);
    }
  }
}

}  // namespace

void make_copies(Mesh& mesh, const std::vector<Transform>& places) {
  const std::size_t vertices = mesh.positions.size();
  const std::vector<std::uint32_t> triangles = std::exchange(mesh.indices, {});
  repeat(mesh.positions, places.size());
  repeat(mesh.normals, places.size());
  repeat(mesh.tangents, places.size());
  repeat(mesh.uvs, places.size());
  repeat(mesh.colours, places.size());
  repeat(mesh.influences, places.size());
  for (MorphTarget& target : mesh.morph_targets) {
    repeat(target.positions, places.size());
    repeat(target.normals, places.size());
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Placed placed(places[i]);
    const std::size_t first = i * vertices;
    place_vertices(placed, first, vertices, mesh);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
      const auto corner = [&](std::size_t k) { return static_cast<std::uint32_t>(first + triangles[t + k]); };
      // A mirror turns the triangles' winding around.
      if (placed.mirrored)
        mesh.indices.insert(mesh.indices.end(), {corner(0), corner(2), corner(1)});
      else
        mesh.indices.insert(mesh.indices.end(), {corner(0), corner(1), corner(2)});
    }
  }
}

}  // namespace throng::detail::gltf
