// SPDX-License-Identifier: Apache-2.0
#include "levels/level_mesh.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace throng::detail::bake {
namespace {

constexpr double kOnePlace = 1e-5;  // of the extent: what rounding may put between vertices of one place

glm::dvec3 to_double3(Float4 v) { return glm::dvec3(three(v)); }

// Joins vertices one by one with the first place that is where they are.
class Welder {
 public:
  Welder(const std::vector<std::vector<Float4>>& placed, const Bounds& box, LevelMesh& out)
      : placed_(placed), origin_(box.min), near_(kOnePlace * out.extent), out_(out) {}

  // Cells are four times as large as what is near, so that it lies in the vertex's own cell or in one beside it.
  void add(std::uint32_t v) {
    const glm::dvec3 at = (to_double3(placed_[0][v]) - origin_) / (4.0 * near_);
    const glm::ivec3 low(glm::floor(at - 0.25)), high(glm::floor(at + 0.25));
    for (int z = low.z; z <= high.z; ++z) {
      for (int y = low.y; y <= high.y; ++y) {
        for (int x = low.x; x <= high.x; ++x) {
          if (join(v, {x, y, z})) return;
        }
      }
    }
    cells_.emplace(key_of(glm::ivec3(glm::floor(at))), out_.members.size());
    out_.place_of[v] = static_cast<std::uint32_t>(out_.members.size());
    out_.members.push_back({v});
  }

 private:
  // A box has at most 1 / (4 · kOnePlace) cells along a side, and one more on each.
  static std::uint64_t key_of(const glm::ivec3& cell) {
    constexpr std::uint64_t kMost = 1u << 20u;
    const auto part = [](int v) { return static_cast<std::uint64_t>(v) + 1; };  // -1 becomes 0
    return (part(cell.x) * kMost + part(cell.y)) * kMost + part(cell.z);
  }
  bool join(std::uint32_t v, const glm::ivec3& cell) {
    const auto [begin, end] = cells_.equal_range(key_of(cell));
    for (auto at = begin; at != end; ++at) {
      if (!together(v, out_.members[at->second][0])) continue;
      out_.place_of[v] = static_cast<std::uint32_t>(at->second);
      out_.members[at->second].push_back(v);
      return true;
    }
    return false;
  }
  bool together(std::uint32_t a, std::uint32_t b) const {
    return std::all_of(placed_.begin(), placed_.end(), [&](const std::vector<Float4>& positions) {
      return static_cast<double>(glm::distance(three(positions[a]), three(positions[b]))) <= near_;
    });
  }

  const std::vector<std::vector<Float4>>& placed_;
  glm::dvec3 origin_;
  double near_;
  LevelMesh& out_;
  std::unordered_multimap<std::uint64_t, std::size_t> cells_;
};

void take_triangles(const BakedMesh& mesh, LevelMesh& out) {
  for (std::uint32_t d = 0; d < mesh.draws.size(); ++d) {
    for (std::uint32_t i = 0; i < mesh.draws[d].index_count; ++i) {
      out.corners.push_back(mesh.indices[mesh.draws[d].first_index + i]);
      if (i % 3 == 0) out.draw.push_back(d);
    }
  }
}

// Edges are counted by the two places they lead between: one that is gone along more often this way than back is open.
void find_open_edges(LevelMesh& mesh) {
  struct Edge {
    std::uint64_t between = 0;  // the lower place and the higher
    bool back = false;
    TriangleEdge edge;
  };
  std::vector<Edge> edges;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto places = mesh.places(t);
    if (is_degenerate(places)) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(places[k], places[(k + 1) % 3]);
      edges.push_back({(std::uint64_t{low} << 32u) | high, places[k] == high, {t, k}});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.between < b.between; });
  for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
    std::array<std::size_t, 2> counts{};
    for (; end < edges.size() && edges[end].between == edges[first].between; ++end) ++counts[edges[end].back ? 1 : 0];
    for (std::size_t i = first; i < end && counts[0] != counts[1]; ++i) {
      if (edges[i].back == (counts[1] > counts[0])) mesh.open_edges.push_back(edges[i].edge);
    }
  }
}

}  // namespace

LevelMesh weld(const BakedMesh& mesh, const LevelPoses& poses, std::size_t count) {
  LevelMesh out;
  take_triangles(mesh, out);
  std::vector<std::vector<Float4>> placed;
  for (std::size_t pose = 0; pose < count; ++pose) placed.push_back(poses.placed(pose));
  Bounds box;
  for (const std::uint32_t v : out.corners) box.add(to_double3(placed[0][v]));
  out.extent = std::max({box.size().x, box.size().y, box.size().z, 1e-9});
  out.place_of.assign(mesh.vertices.size(), 0);
  Welder welder(placed, box, out);
  std::vector<std::uint8_t> used(mesh.vertices.size(), 0);
  for (const std::uint32_t v : out.corners) used[v] = 1;
  for (std::uint32_t v = 0; v < used.size(); ++v) {
    if (used[v] != 0) welder.add(v);
  }
  for (const std::vector<Float4>& positions : placed) {
    auto& pose = out.poses.emplace_back();
    for (const auto& members : out.members) pose.push_back(to_double3(positions[members[0]]));
  }
  find_open_edges(out);
  return out;
}

}  // namespace throng::detail::bake
