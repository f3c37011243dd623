// SPDX-License-Identifier: Apache-2.0
#include "surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "shape.h"

namespace throng::detail::mannequin {
namespace {

using glm::dvec3;
using glm::ivec3;

constexpr double kCell = 0.0090;      // metres
constexpr double kFineCell = 0.0056;  // around the hands
constexpr double kHandDepth = 0.017;  // z of the middle of the hand
constexpr int kBlock = 4;             // nodes a side of a block that is looked at as a whole
constexpr std::uint32_t kNone = 0xffffffff;

// Nodes of one axis, closer together within [fine_from, fine_to].
std::vector<double> nodes(double from, double to, double fine_from, double fine_to) {
  std::vector<double> at{from};
  while (at.back() < to) at.push_back(at.back() + (at.back() >= fine_from && at.back() < fine_to ? kFineCell : kCell));
  return at;
}

// The body's distance at the nodes of a grid. Nodes far from the skin only get the right sign.
class Grid {
 public:
  Grid()
      // The first cell straddles x = 0: by symmetry its vertices lie on that plane.
      : axes_{nodes(-0.5 * kCell, 0.66, 0.46, 1.0), nodes(-0.03, 1.83, 0.78, 0.96), nodes(-0.20, 0.24, 1.0, 1.0)},
        size_(axes_[0].size(), axes_[1].size(), axes_[2].size()),
        values_(
            static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y) * static_cast<std::size_t>(size_.z),
            1.0f) {
    for (int z = 0; z < size_.z; z += kBlock) {
      for (int y = 0; y < size_.y; y += kBlock) {
        for (int x = 0; x < size_.x; x += kBlock) fill_block({x, y, z});
      }
    }
    while (close_narrow_gaps()) {
    }
  }

  const ivec3& size() const { return size_; }
  dvec3 position(const ivec3& n) const {
    const double x = axes_[0][static_cast<std::size_t>(n.x)], y = axes_[1][static_cast<std::size_t>(n.y)];
    const double z = axes_[2][static_cast<std::size_t>(n.z)];
    // Fingers lie side by side along z: beside the body, where only the hands are, the grid is squeezed to see between
    // them.
    const double squeeze = glm::mix(1.0, 0.42, glm::smoothstep(0.40, 0.48, x));
    return {x, y, kHandDepth + (z - kHandDepth) * squeeze};
  }
  std::size_t index(const ivec3& n) const {
    return (static_cast<std::size_t>(n.z) * static_cast<std::size_t>(size_.y) + static_cast<std::size_t>(n.y)) *
               static_cast<std::size_t>(size_.x) +
           static_cast<std::size_t>(n.x);
  }
  double value(const ivec3& n) const { return static_cast<double>(values_[index(n)]); }
  bool inside(const ivec3& n) const { return values_[index(n)] < 0.0f; }

  // The cells the skin passes through, by their first node, in the order of their indices.
  std::vector<ivec3> crossed_cells() const {
    std::vector<ivec3> cells;
    for (int z = 0; z + 1 < size_.z; ++z) {
      for (int y = 0; y + 1 < size_.y; ++y) {
        const float* rows[4] = {&values_[index({0, y, z})], &values_[index({0, y + 1, z})],
                                &values_[index({0, y, z + 1})], &values_[index({0, y + 1, z + 1})]};
        const auto count = [&rows](int x) {
          return (rows[0][x] < 0.0f) + (rows[1][x] < 0.0f) + (rows[2][x] < 0.0f) + (rows[3][x] < 0.0f);
        };
        int here = count(0);
        for (int x = 0; x + 1 < size_.x; ++x) {
          const int next = count(x + 1);
          if (here + next > 0 && here + next < 8) cells.push_back({x, y, z});
          here = next;
        }
      }
    }
    return cells;
  }

 private:
  void fill_block(const ivec3& first) {
    const ivec3 last = glm::min(first + kBlock, size_) - 1;
    const dvec3 low = position(first), high = position(last);
    const double centre = body_distance(0.5 * (low + high));
    // The field is no exact distance; it has to be this much off for the skin to be missed.
    const bool near = std::abs(centre) < 0.5 * glm::length(high - low) * 1.3 + 0.012;
    for (int z = first.z; z <= last.z; ++z) {
      for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
          values_[index({x, y, z})] = static_cast<float>(near ? body_distance(position({x, y, z})) : centre);
        }
      }
    }
  }

  // Where four nodes of a face are inside and outside crosswise, four sheets of skin would meet in one edge: fills the
  // outer node nearest to the skin. Says whether there was any.
  bool close_narrow_gaps() {
    bool found = false;
    for (const ivec3& cell : crossed_cells()) {
      for (int axis = 0; axis < 3; ++axis) found |= close_crossed_face(cell, axis);
    }
    return found;
  }

  bool close_crossed_face(const ivec3& corner, int axis) {
    ivec3 n[4] = {corner, corner, corner, corner};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (corner[u] + 1 >= size_[u] || corner[v] + 1 >= size_[v]) return false;
    ++n[1][u], ++n[2][u], ++n[2][v], ++n[3][v];
    const bool a = inside(n[0]), b = inside(n[1]);
    if (a == b || a != inside(n[2]) || b != inside(n[3])) return false;
    const int first = a ? 1 : 0;
    const int fill = value(n[first]) < value(n[first + 2]) ? first : first + 2;
    values_[index(n[fill])] = -1e-5f;
    return true;
  }

  std::array<std::vector<double>, 3> axes_;
  ivec3 size_;
  std::vector<float> values_;
};

// The mean of where the skin crosses the edges of a cell that it passes through.
dvec3 cell_vertex(const Grid& grid, const ivec3& cell) {
  dvec3 sum(0.0);
  int crossings = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int corner = 0; corner < 4; ++corner) {
      ivec3 a = cell;
      a[(axis + 1) % 3] += corner & 1;
      a[(axis + 2) % 3] += corner >> 1;
      ivec3 b = a;
      ++b[axis];
      if (grid.inside(a) == grid.inside(b)) continue;
      const double va = grid.value(a), vb = grid.value(b);
      sum += glm::mix(grid.position(a), grid.position(b), va / (va - vb));
      ++crossings;
    }
  }
  return sum / static_cast<double>(crossings);
}

class SurfaceNets {
 public:
  Surface run() {
    const std::vector<ivec3> cells = grid_.crossed_cells();
    for (const ivec3& cell : cells) add_vertex(cell);
    for (const ivec3& cell : cells) {
      if (cell.y > 0 && cell.z > 0) add_faces(cell);  // the skin keeps clear of the grid's ends
    }
    return std::move(surface_);
  }

 private:
  void add_vertex(const ivec3& cell) {
    dvec3 p = onto_body(cell_vertex(grid_, cell));
    if (cell.x == 0) p.x = 0.0;
    vertex_of_[grid_.index(cell)] = static_cast<std::uint32_t>(surface_.positions.size());
    surface_.positions.push_back(p);
  }

  // One quad around each edge that starts at `node` and crosses the skin.
  void add_faces(const ivec3& node) {
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      ivec3 end = node;
      ++end[axis];
      if (grid_.inside(node) == grid_.inside(end)) continue;
      ivec3 cells[4] = {node, node, node, node};
      --cells[1][u], --cells[2][u], --cells[2][v], --cells[3][v];
      if (cells[1].x < 0 || cells[2].x < 0 || cells[3].x < 0) continue;  // the other half's
      std::uint32_t q[4];
      for (int i = 0; i < 4; ++i) q[i] = vertex_of_[grid_.index(cells[i])];
      if (!grid_.inside(node)) std::swap(q[1], q[3]);
      add_quad(q);
    }
  }

  void add_quad(const std::uint32_t (&q)[4]) {
    const auto& p = surface_.positions;
    const bool first = glm::distance(p[q[0]], p[q[2]]) <= glm::distance(p[q[1]], p[q[3]]);
    const int o = first ? 0 : 1;
    surface_.triangles.push_back({{q[o], q[o + 1], q[(o + 2) % 4]}, -1});
    surface_.triangles.push_back({{q[o], q[(o + 2) % 4], q[(o + 3) % 4]}, -1});
  }

  Grid grid_;
  std::vector<std::uint32_t> vertex_of_ = std::vector<std::uint32_t>(grid_.index(grid_.size() - 1) + 1, kNone);
  Surface surface_;
};

// Cuts along one panel's outline.
class PanelCut {
 public:
  PanelCut(Surface& surface, int panel) : surface_(surface), panel_(panel) {
    for (const dvec3& p : surface_.positions) values_.push_back(panel_distance(panel_, p));
    for (std::size_t i = 0; i < values_.size(); ++i) snap(i);
    std::vector<Triangle> old;
    old.swap(surface_.triangles);
    for (const Triangle& t : old) cut(t);
  }

 private:
  // A vertex almost on the outline moves onto it, so that no sliver is cut.
  void snap(std::size_t i) {
    constexpr double kNear = 0.0016;  // metres, a sixth of a cell
    if (std::abs(values_[i]) > kNear) return;
    dvec3& p = surface_.positions[i];
    const dvec3 start = p;
    const bool rim = p.x == 0.0;
    for (int step = 0; step < 4; ++step) {
      const dvec3 normal = body_normal(p);
      dvec3 slope;
      for (int axis = 0; axis < 3; ++axis) {
        dvec3 e(0.0);
        e[axis] = 1e-5;
        slope[axis] = (panel_distance(panel_, p + e) - panel_distance(panel_, p - e)) / 2e-5;
      }
      slope -= normal * glm::dot(slope, normal);
      if (rim) slope.x = 0.0;
      const double steepness = glm::dot(slope, slope);
      if (steepness < 0.05) break;
      p -= slope * (panel_distance(panel_, p) / steepness);
      p = onto_body(p);
      if (rim) p.x = 0.0;
    }
    if (glm::distance(start, p) > 3.0 * kNear)
      p = start;
    else
      values_[i] = 0.0;
  }

  std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
    const auto key = std::minmax(a, b);
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    dvec3 low = surface_.positions[key.first], high = surface_.positions[key.second];
    const bool rim = low.x == 0.0 && high.x == 0.0;
    const bool low_inside = values_[key.first] < 0.0;
    for (int i = 0; i < 20; ++i) {
      const dvec3 middle = 0.5 * (low + high);
      ((panel_distance(panel_, middle) < 0.0) == low_inside ? low : high) = middle;
    }
    dvec3 p = onto_body(0.5 * (low + high));
    if (rim) p.x = 0.0;
    const auto id = static_cast<std::uint32_t>(surface_.positions.size());
    surface_.positions.push_back(p);
    values_.push_back(0.0);
    made_.emplace(key, id);
    return id;
  }

  void put(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool inside, const Triangle& from) {
    surface_.triangles.push_back({{a, b, c}, inside ? panel_ : from.panel});
  }

  void cut(const Triangle& t) {
    const auto side = [&](std::uint32_t v) { return values_[v] < 0.0 ? -1 : values_[v] > 0.0 ? 1 : 0; };
    int s[3] = {side(t.v[0]), side(t.v[1]), side(t.v[2])};
    const int low = std::min({s[0], s[1], s[2]}), high = std::max({s[0], s[1], s[2]});
    if (low == 0 && high == 0) {
      const dvec3 centre = (surface_.positions[t.v[0]] + surface_.positions[t.v[1]] + surface_.positions[t.v[2]]) / 3.0;
      return put(t.v[0], t.v[1], t.v[2], panel_distance(panel_, centre) < 0.0, t);
    }
    if (low >= 0 || high <= 0) return put(t.v[0], t.v[1], t.v[2], low < 0, t);
    int r = 0;  // the corner alone on its side, or the one on the outline
    const bool through_corner = s[0] == 0 || s[1] == 0 || s[2] == 0;
    while (through_corner ? s[r] != 0 : s[r] == s[(r + 1) % 3] || s[r] == s[(r + 2) % 3]) ++r;
    const std::uint32_t a = t.v[r], b = t.v[(r + 1) % 3], c = t.v[(r + 2) % 3];
    if (through_corner) {
      const std::uint32_t m = crossing(b, c);
      put(a, b, m, s[(r + 1) % 3] < 0, t);
      return put(a, m, c, s[(r + 2) % 3] < 0, t);
    }
    const std::uint32_t ab = crossing(a, b), ca = crossing(c, a);
    put(a, ab, ca, s[r] < 0, t);
    put(ab, b, c, s[r] > 0, t);
    put(ab, c, ca, s[r] > 0, t);
  }

  Surface& surface_;
  int panel_;
  std::vector<double> values_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made_;
};

}  // namespace

Surface polygonise_half_body() { return SurfaceNets().run(); }

void cut_along_panels(Surface& surface) {
  for (int panel = 0; panel < kPanelShapes; ++panel) PanelCut(surface, panel);
}

Surface mirror(const Surface& half) {
  Surface whole = half;
  std::vector<std::uint32_t> twin(half.positions.size());
  for (std::uint32_t i = 0; i < half.positions.size(); ++i) {
    const dvec3& p = half.positions[i];
    twin[i] = p.x == 0.0 ? i : static_cast<std::uint32_t>(whole.positions.size());
    if (p.x != 0.0) whole.positions.push_back({-p.x, p.y, p.z});
  }
  for (const Triangle& t : half.triangles)
    whole.triangles.push_back({{twin[t.v[0]], twin[t.v[2]], twin[t.v[1]]}, t.panel});
  return whole;
}

}  // namespace throng::detail::mannequin
