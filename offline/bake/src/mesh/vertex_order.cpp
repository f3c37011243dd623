// SPDX-License-Identifier: Apache-2.0
#include "mesh/vertex_order.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

#include "mesh/hub.h"

namespace throng::detail::bake {
namespace {

// How much worse the use of the vertex cache may get for less overdraw: what meshoptimizer suggests.
constexpr float kCacheLoss = 1.05f;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// The better order takes as long as the square of this.
constexpr std::uint32_t kMostTrianglesAround = 512;
constexpr unsigned kFifo = 16;  // vertices in the cache that the simpler order has in mind

void order_draw(const BakedDraw& draw, BakedMesh& mesh) {
  std::uint32_t* const indices = mesh.indices.data() + draw.first_index;
  std::vector<std::uint32_t> ordered(draw.index_count);
  if (has_hub({indices, draw.index_count}, mesh.vertices.size(), kMostTrianglesAround)) {
    meshopt_optimizeVertexCacheFifo(ordered.data(), indices, draw.index_count, mesh.vertices.size(), kFifo);
  } else {
    meshopt_optimizeVertexCache(ordered.data(), indices, draw.index_count, mesh.vertices.size());
  }
  meshopt_optimizeOverdraw(indices, ordered.data(), draw.index_count, &mesh.vertices[0].position.x,
                           mesh.vertices.size(), sizeof(BakedVertex), kCacheLoss);
}

template <class T>
void move_to(const std::vector<std::uint32_t>& place, std::uint32_t count, std::vector<T>& values) {
  if (values.empty()) return;
  std::vector<T> out(count);
  for (std::size_t v = values.size(); v-- > 0;) out[place[v]] = values[v];
  values = std::move(out);
}

std::uint32_t used_vertices(const BakedLevel& level, const std::vector<std::uint32_t>& indices) {
  std::uint32_t count = 0;
  for (const BakedDraw& draw : level.draws) {
    for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; ++i) {
      count = std::max(count, indices[i] + 1);
    }
  }
  return count;
}

}  // namespace

void order_triangles(BakedMesh& mesh) {
  for (const BakedDraw& draw : mesh.draws) order_draw(draw, mesh);
  for (const BakedLevel& level : mesh.levels) {
    for (const BakedDraw& draw : level.draws) order_draw(draw, mesh);
  }
}

namespace {

// Orders vertices so that those that follow as many bones, and of those the same ones, lie together.
bool follows_before(const BakedVertex& a, const BakedVertex& b) {
  const auto bones = [](const BakedVertex& vertex) {
    std::array<std::pair<std::uint16_t, std::uint16_t>, 4> strongest{};
    for (std::size_t i = 0; i < 4; ++i) strongest[i] = {vertex.weights[i], vertex.bones[i]};
    std::ranges::sort(strongest, std::greater{});
    std::array<std::uint16_t, 5> key{};
    for (std::size_t i = 0; i < 4; ++i) {
      if (strongest[i].first == 0) continue;
      ++key[0];
      key[i + 1] = strongest[i].second;
    }
    return key;
  };
  return bones(a) < bones(b);
}

// A group of threads skins vertices that lie side by side, and waits for the one with the most bones; what they read of
// their bones is read once where those are the same. `order`: the vertices as they are wanted.
void sort_by_bones(const BakedMesh& mesh, std::vector<std::uint32_t>& order) {
  constexpr std::size_t kStretch = 512;  // so that triangles' vertices stay near one another
  std::vector<std::size_t> ends{order.size()};
  for (const BakedLevel& level : mesh.levels) ends.push_back(level.vertex_count);
  std::ranges::sort(ends);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    for (; begin < end; begin += std::min(kStretch, end - begin)) {
      const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
      std::stable_sort(first, first + static_cast<std::ptrdiff_t>(std::min(kStretch, end - begin)),
                       [&](std::uint32_t a, std::uint32_t b) {
                         if (!mesh.parts.empty() && mesh.parts[a] != mesh.parts[b])
                           return mesh.parts[a] < mesh.parts[b];
                         return follows_before(mesh.vertices[a], mesh.vertices[b]);
                       });
    }
  }
}

}  // namespace

void order_vertices(BakedMesh& mesh) {
  std::vector<std::uint32_t> place(mesh.vertices.size(), kNowhere);
  std::uint32_t next = 0;
  const auto take = [&](const std::vector<BakedDraw>& draws) {
    for (const BakedDraw& draw : draws) {
      for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; ++i) {
        if (place[mesh.indices[i]] == kNowhere) place[mesh.indices[i]] = next++;
      }
    }
  };
  for (auto level = mesh.levels.rbegin(); level != mesh.levels.rend(); ++level) take(level->draws);
  take(mesh.draws);
  for (std::uint32_t& p : place) {
    if (p == kNowhere) p = next++;
  }
  renumber_vertices(place, next, mesh);
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  sort_by_bones(mesh, order);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  renumber_vertices(place, static_cast<std::uint32_t>(order.size()), mesh);
}

void order_vertices_by_level(BakedMesh& mesh) {
  std::vector<std::uint32_t> coarsest(mesh.vertices.size(), 0);  // the level that uses it; 0: the full mesh at most
  for (std::uint32_t level = 0; level < mesh.levels.size(); ++level) {
    for (const BakedDraw& draw : mesh.levels[level].draws) {
      for (std::uint32_t i = draw.first_index; i < draw.first_index + draw.index_count; ++i) {
        coarsest[mesh.indices[i]] = level + 1;
      }
    }
  }
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return coarsest[a] > coarsest[b]; });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  renumber_vertices(place, static_cast<std::uint32_t>(order.size()), mesh);
}

void renumber_vertices(const std::vector<std::uint32_t>& place, std::uint32_t count, BakedMesh& mesh) {
  move_to(place, count, mesh.vertices);
  move_to(place, count, mesh.tangents);
  move_to(place, count, mesh.origins);
  move_to(place, count, mesh.parts);
  for (std::uint32_t& index : mesh.indices) index = place[index];
  for (BakedLevel& level : mesh.levels) level.vertex_count = used_vertices(level, mesh.indices);
  if (mesh.baked_from_source.empty()) {
    mesh.baked_from_source = place;
  } else {
    for (std::uint32_t& vertex : mesh.baked_from_source) vertex = place[vertex];
  }
  bool same = mesh.baked_from_source.size() == count;
  for (std::uint32_t v = 0; v < count && same; ++v) same = mesh.baked_from_source[v] == v;
  if (same) mesh.baked_from_source.clear();
}

}  // namespace throng::detail::bake
