// SPDX-License-Identifier: Apache-2.0
#pragma once
// Meshes whose shape is known, for what is done to triangles.

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "mesh/baked_mesh.h"
#include "small_models.h"

namespace throng {
using namespace detail::bake;

// A sphere of radius 1 of rings and segments, its poles one vertex a segment; uv runs once around, so there is a seam.
// Triangles above the equator are of material 0, those below of material 1 (meshes of their own).
inline std::vector<Mesh> two_coloured_sphere(std::uint32_t rings, std::uint32_t segments) {
  std::vector<Mesh> halves(2);
  for (std::uint32_t half = 0; half < 2; ++half) {
    Mesh& mesh = halves[half];
    mesh.name = half == 0 ? "north" : "south";
    mesh.node = half;
    mesh.material = half;
    for (std::uint32_t ring = 0; ring <= rings / 2; ++ring) {
      for (std::uint32_t s = 0; s <= segments; ++s) {
        const double down = kPi * (ring + half * (rings / 2)) / rings;
        const double around = 2.0 * kPi * (s % segments) / segments;
        const glm::dvec3 p(std::sin(down) * std::cos(around), std::cos(down), -std::sin(down) * std::sin(around));
        // Exactly one place for each pole, and for the equator whichever half it is of.
        const bool pole = ring + half * (rings / 2) == 0 || ring + half * (rings / 2) == rings;
        mesh.positions.emplace_back(pole ? glm::dvec3(0.0, p.y > 0.0 ? 1.0 : -1.0, 0.0) : p);
        mesh.normals.emplace_back(p);
        mesh.uvs.emplace_back(static_cast<double>(s) / segments, down / kPi);
        mesh.influences.push_back(bound_to(0));
        if (ring == 0 || s == segments) continue;
        const std::uint32_t a = (ring - 1) * (segments + 1) + s;
        const std::uint32_t b = a + segments + 1;
        const bool at_north = half == 0 && ring == 1;
        const bool at_south = half == 1 && ring == rings / 2;
        if (!at_south) mesh.indices.insert(mesh.indices.end(), {a, b, b + 1});
        if (!at_north) mesh.indices.insert(mesh.indices.end(), {a, at_south ? b : b + 1, a + 1});
      }
    }
  }
  return halves;
}

inline ModelDraft still_draft(std::vector<Mesh> meshes) {
  ModelDraft draft;
  draft.name = "still";
  draft.bones = {{"root", std::nullopt, {}}};
  draft.bindings = {{0, glm::dmat4(1.0)}};
  draft.meshes = std::move(meshes);
  draft.materials.resize(4);
  return draft;
}

// Every triangle with vertices of its own and the normal of its plane, as flat-shaded models have them.
inline Mesh faceted(const Mesh& mesh) {
  Mesh out = mesh;
  out.positions.clear();
  out.normals.clear();
  out.uvs.clear();
  out.influences.clear();
  out.indices.clear();
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const auto corner = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]]; };
    const glm::vec3 normal = glm::normalize(glm::cross(corner(1) - corner(0), corner(2) - corner(0)));
    for (std::size_t k = 0; k < 3; ++k) {
      out.positions.push_back(corner(k));
      out.normals.push_back(normal);
      out.uvs.push_back(mesh.uvs[mesh.indices[i + k]]);
      out.influences.push_back(mesh.influences[mesh.indices[i + k]]);
      out.indices.push_back(static_cast<std::uint32_t>(out.indices.size()));
    }
  }
  return out;
}

// The mesh of vertex mode, its levels made for the rest pose.
inline BakedMesh rest_mesh_of(const Model& model, const BakeSettings& settings, std::vector<std::string>& notes) {
  SerialExecutor executor;
  return make_rest_mesh({model, settings.tangents}, settings, {{}, executor}, notes);
}

inline std::uint32_t triangle_count(const std::vector<BakedDraw>& draws) {
  std::uint32_t indices = 0;
  for (const BakedDraw& draw : draws) indices += draw.index_count;
  return indices / 3;
}

// Calls body(a, b, c) with the vertices of every triangle.
template <class Indices, class Body>
void for_triangles(const Indices& indices, const std::vector<BakedDraw>& draws, const Body& body) {
  for (const BakedDraw& draw : draws) {
    for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; i += 3) {
      body(indices[i], indices[i + 1], indices[i + 2]);
    }
  }
}

// Edges that no neighbour shares, going by where vertices are and not by which they are.
inline std::size_t open_edges(const BakedMesh& mesh, const std::vector<BakedDraw>& draws) {
  using Point = std::tuple<float, float, float>;
  std::map<std::pair<Point, Point>, int> balance;
  const auto edge = [&](std::uint32_t a, std::uint32_t b) {
    const auto point = [&](std::uint32_t v) {
      const glm::vec3 p = mesh.vertices[v].position + 0.0f;
      return Point(p.x, p.y, p.z);
    };
    if (point(a) == point(b)) return;
    ++balance[{point(a), point(b)}];
    --balance[{point(b), point(a)}];
  };
  for_triangles(mesh.indices, draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    edge(a, b);
    edge(b, c);
    edge(c, a);
  });
  return static_cast<std::size_t>(
      std::count_if(balance.begin(), balance.end(), [](const auto& entry) { return entry.second > 0; }));
}

}  // namespace throng
