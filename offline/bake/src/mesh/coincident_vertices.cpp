// SPDX-License-Identifier: Apache-2.0
#include "mesh/coincident_vertices.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>

namespace throng::detail::bake {
namespace {

constexpr std::size_t kMostMembers = 6;  // looked at for one corner: 6³ triangles

// Bytes that meshoptimizer compares: no padding, no negative zero.
struct Key {
  glm::vec3 position{0.0f};
  std::uint32_t part = 0;  // the draw, then the part of its model
  std::uint64_t motion = 0;
  std::uint64_t used = 0;
};
static_assert(sizeof(Key) == 32);

std::vector<Key> keys_of(const BakedMesh& mesh, const std::vector<std::uint64_t>& motions) {
  std::vector<Key> keys(mesh.vertices.size());
  for (std::size_t v = 0; v < keys.size(); ++v) {
    keys[v].position = mesh.vertices[v].position + 0.0f;
    keys[v].motion = motions[v];
  }
  for (std::uint32_t p = 0; p < mesh.draws.size(); ++p) {
    for (std::uint32_t i = 0; i < mesh.draws[p].index_count; ++i) {
      Key& key = keys[mesh.indices[mesh.draws[p].first_index + i]];
      key.part = p << 8 | mesh.parts[mesh.indices[mesh.draws[p].first_index + i]];
      key.used = 1;
    }
  }
  return keys;
}

// How far the normal is from the triangle's: 0 to 2.
float turned_away(const BakedVertex& vertex, const glm::vec3& face) { return 1.0f - glm::dot(vertex.normal, face); }

// How far apart two vertices lie in the texture, and in colour.
float apart(const BakedVertex& a, const BakedVertex& b) {
  float sum = glm::distance(a.uv, b.uv);
  for (std::size_t i = 0; i < 4; ++i) sum += std::abs(static_cast<float>(a.colour[i] - b.colour[i])) / 255.0f;
  return sum;
}

// Numbers of the vertices' places when only position, part and motion count.
std::size_t same_positions(const std::vector<Key>& keys, std::vector<std::uint32_t>& place_of) {
  place_of.resize(keys.size());
  return meshopt_generateVertexRemap(place_of.data(), nullptr, keys.size(), keys.data(), keys.size(), sizeof(Key));
}

// Vertices of one position that lie apart get places of their own: each goes to the first that is near enough.
void split_by_looks(const BakedMesh& mesh, float tolerance, std::size_t positions, CoincidentVertices& coincident) {
  std::vector<std::vector<std::uint32_t>> first_of(positions);  // vertices that stand for the places at a position
  std::vector<std::uint32_t> place(mesh.vertices.size());
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    auto& firsts = first_of[coincident.place_of[v]];
    const auto near = std::find_if(firsts.begin(), firsts.end(), [&](std::uint32_t other) {
      return apart(mesh.vertices[v], mesh.vertices[other]) <= tolerance;
    });
    place[v] = near == firsts.end() ? count++ : place[*near];
    if (near == firsts.end()) firsts.push_back(v);
  }
  coincident.place_of = std::move(place);
}

void list_members(const std::vector<Key>& keys, CoincidentVertices& coincident) {
  coincident.first_member.assign(coincident.positions.size() + 1, 0);
  for (std::size_t v = 0; v < keys.size(); ++v)
    coincident.first_member[coincident.place_of[v] + 1] += keys[v].used != 0 ? 1 : 0;
  for (std::size_t p = 1; p < coincident.first_member.size(); ++p)
    coincident.first_member[p] += coincident.first_member[p - 1];
  std::vector<std::uint32_t> next(coincident.first_member.begin(), coincident.first_member.end() - 1);
  coincident.members.resize(coincident.first_member.back());
  for (std::uint32_t v = 0; v < keys.size(); ++v) {
    if (keys[v].used != 0) coincident.members[next[coincident.place_of[v]]++] = v;
  }
}

// The members of a place, those that face as the triangle does first.
std::vector<std::uint32_t> candidates(const BakedMesh& mesh, const CoincidentVertices& coincident, std::uint32_t place,
                                      const glm::vec3& face) {
  std::vector<std::uint32_t> out(coincident.members.begin() + coincident.first_member[place],
                                 coincident.members.begin() + coincident.first_member[place + 1]);
  std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) {
    return turned_away(mesh.vertices[a], face) < turned_away(mesh.vertices[b], face);
  });
  if (out.size() > kMostMembers) out.resize(kMostMembers);
  return out;
}

}  // namespace

CoincidentVertices find_coincident_vertices(const BakedMesh& mesh, const std::vector<std::uint64_t>& motions,
                                            float tolerance) {
  const std::vector<Key> keys = keys_of(mesh, motions);
  CoincidentVertices out;
  const std::size_t positions = same_positions(keys, out.place_of);
  split_by_looks(mesh, tolerance, positions, out);
  const std::size_t places = 1 + *std::max_element(out.place_of.begin(), out.place_of.end());
  out.positions.resize(places);
  out.part.resize(places);
  for (std::size_t v = 0; v < keys.size(); ++v) {
    out.positions[out.place_of[v]] = keys[v].position;
    out.part[out.place_of[v]] = keys[v].part >> 8;
  }
  list_members(keys, out);
  return out;
}

std::array<std::uint32_t, 3> corners_for(const BakedMesh& mesh, const CoincidentVertices& coincident,
                                         const std::array<std::uint32_t, 3>& places) {
  // A chart's length in the texture counts more than a normal: a wrong colour shows where a wrong shade does not.
  constexpr float kTextureWeight = 4.0f;
  const auto& p = coincident.positions;
  const glm::vec3 across = glm::cross(p[places[1]] - p[places[0]], p[places[2]] - p[places[0]]);
  const float length = glm::length(across);
  const glm::vec3 face = length > 0.0f ? across / length : glm::vec3(0.0f);
  std::array<std::vector<std::uint32_t>, 3> lists;
  for (std::size_t k = 0; k < 3; ++k) lists[k] = candidates(mesh, coincident, places[k], face);
  std::array<std::uint32_t, 3> best{lists[0][0], lists[1][0], lists[2][0]};
  if (lists[0].size() + lists[1].size() + lists[2].size() == 3) return best;
  float least = std::numeric_limits<float>::infinity();
  for (const std::uint32_t a : lists[0]) {
    for (const std::uint32_t b : lists[1]) {
      for (const std::uint32_t c : lists[2]) {
        const BakedVertex &va = mesh.vertices[a], &vb = mesh.vertices[b], &vc = mesh.vertices[c];
        const float cost = kTextureWeight * (apart(va, vb) + apart(vb, vc) + apart(vc, va)) + turned_away(va, face) +
                           turned_away(vb, face) + turned_away(vc, face);
        if (cost >= least) continue;
        least = cost;
        best = {a, b, c};
      }
    }
  }
  return best;
}

}  // namespace throng::detail::bake
