// SPDX-License-Identifier: Apache-2.0
#include "levels/level_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
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

struct PlacedEdge {
  std::uint64_t between = 0;  // the lower place and the higher
  std::uint32_t part = 0;
  bool back = false;
  TriangleEdge edge;
};

// Edges are counted by the two places they lead between: one that is gone along more often this way than back is open.
// Triangles of another `part_of(triangle)` are not there for one another.
template <class PartOf>
std::vector<PlacedEdge> open_edges(const LevelMesh& mesh, const PartOf& part_of) {
  std::vector<PlacedEdge> edges;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto places = mesh.places(t);
    if (is_degenerate(places)) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(places[k], places[(k + 1) % 3]);
      edges.push_back({(std::uint64_t{low} << 32u) | high, part_of(t), places[k] == high, {t, k}});
    }
  }
  const auto key = [](const PlacedEdge& edge) { return std::pair(edge.between, edge.part); };
  std::ranges::stable_sort(edges, {}, key);
  std::vector<PlacedEdge> open;
  for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
    std::array<std::size_t, 2> counts{};
    for (; end < edges.size() && key(edges[end]) == key(edges[first]); ++end) ++counts[edges[end].back ? 1 : 0];
    for (std::size_t i = first; i < end && counts[0] != counts[1]; ++i) {
      if (edges[i].back == (counts[1] > counts[0])) open.push_back(edges[i]);
    }
  }
  return open;
}

// For every part, the lowest of those that form one cluster with it: they have an edge in common that is open in each.
// Two of which one is worn at a time are never in one cluster: each is seen without the other.
std::array<std::uint32_t, kMostParts> first_parts(const LevelMesh& mesh, const std::vector<std::uint8_t>& parts,
                                                  const std::vector<PartGroup>& groups) {
  std::array<std::uint32_t, kMostParts> first{};
  std::iota(first.begin(), first.end(), 0u);
  std::array<std::uint32_t, kMostParts> group_of{};  // counted from 1; 0: of none
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    for (const PartId part : groups[group].parts) group_of[part.value] = group + 1;
  const auto first_of = [&](std::uint32_t part) {
    while (first[part] != part) part = first[part];
    return part;
  };
  const auto exclude_each_other = [&](std::uint32_t a, std::uint32_t b) {
    std::array<bool, kMostParts + 1> there{};  // groups that have a part in the first cluster
    for (std::uint32_t part = 0; part < kMostParts; ++part)
      if (first_of(part) == a) there[group_of[part]] = true;
    there[0] = false;
    for (std::uint32_t part = 0; part < kMostParts; ++part)
      if (a != b && first_of(part) == b && there[group_of[part]]) return true;
    return false;
  };
  const std::vector<PlacedEdge> open =
      open_edges(mesh, [&](std::uint32_t t) { return std::uint32_t{parts[mesh.corners[3 * std::size_t{t}]]}; });
  for (std::size_t i = 1; i < open.size(); ++i) {
    if (open[i].between != open[i - 1].between) continue;
    const auto [low, high] = std::minmax({first_of(open[i].part), first_of(open[i - 1].part)});
    if (!exclude_each_other(low, high)) first[high] = low;
  }
  for (std::uint32_t part = 0; part < kMostParts; ++part) first[part] = first_of(part);
  return first;
}

// Clusters have no place in common: where their vertices are in one, it becomes several.
void part_clusters(const BakedMesh& mesh, const std::vector<PartGroup>& groups, LevelMesh& out) {
  const auto first = first_parts(out, mesh.parts, groups);
  const std::size_t places = out.members.size();
  for (std::size_t place = 0; place < places; ++place) {
    const std::uint32_t own = first[mesh.parts[out.members[place][0]]];
    std::map<std::uint32_t, std::vector<std::uint32_t>> others;  // by cluster
    std::erase_if(out.members[place], [&](std::uint32_t vertex) {
      const std::uint32_t cluster = first[mesh.parts[vertex]];
      if (cluster != own) others[cluster].push_back(vertex);
      return cluster != own;
    });
    for (auto& [cluster, members] : others) {
      for (const std::uint32_t vertex : members) out.place_of[vertex] = static_cast<std::uint32_t>(out.members.size());
      out.members.push_back(std::move(members));
    }
  }
  std::array<std::uint32_t, kMostParts> number{};  // of a cluster, counted from 1; 0: not met yet
  for (std::uint32_t t = 0; t < out.triangle_count(); ++t) {
    std::uint32_t& known = number[first[mesh.parts[out.corners[3 * std::size_t{t}]]]];
    if (known == 0) known = ++out.cluster_count;
    out.cluster.push_back(known - 1);
  }
}

void find_edges(const BakedMesh& mesh, LevelMesh& out) {
  const std::vector<PlacedEdge> open = open_edges(out, [](std::uint32_t) { return 0u; });
  for (const PlacedEdge& edge : open) out.open_edges.push_back(edge.edge);
  if (mesh.draws.size() < 2) return;
  const std::vector<PlacedEdge> ends = open_edges(out, [&](std::uint32_t t) { return out.draw[t]; });
  for (std::size_t first = 0, end = 0; first < ends.size(); first = end) {
    while (end < ends.size() && ends[end].between == ends[first].between) ++end;
    double contrast = 0.0;
    for (std::size_t i = first + 1; i < end; ++i)
      contrast = std::max(contrast, draw_contrast(mesh, ends[i - 1].part, ends[i].part));
    if (contrast <= 0.0) continue;
    for (std::size_t i = first; i < end; ++i) out.draw_edges.push_back({ends[i].edge, contrast});
  }
}

}  // namespace

double draw_contrast(const BakedMesh& mesh, std::uint32_t a, std::uint32_t b) {
  if (a == b) return 0.0;
  const Material& one = mesh.materials[mesh.draws[a].material];
  const Material& other = mesh.materials[mesh.draws[b].material];
  if (one.base_image != other.base_image || one.normal_image != other.normal_image ||
      one.alpha_mode != other.alpha_mode)
    return 1.0;
  // As the eye sees it: about the square root of linear light.
  const glm::vec4 off =
      glm::abs(glm::sqrt(glm::max(one.base_colour, 0.0f)) - glm::sqrt(glm::max(other.base_colour, 0.0f)));
  return std::min(1.0, static_cast<double>(std::max({off.r, off.g, off.b, off.a})));
}

LevelMesh weld(const BakedMesh& mesh, const LevelPoses& poses, std::size_t count,
               const std::vector<PartGroup>& groups) {
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
  part_clusters(mesh, groups, out);
  for (const std::vector<Float4>& positions : placed) {
    auto& pose = out.poses.emplace_back();
    for (const auto& members : out.members) pose.push_back(to_double3(positions[members[0]]));
  }
  find_edges(mesh, out);
  return out;
}

}  // namespace throng::detail::bake
