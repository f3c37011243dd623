// SPDX-License-Identifier: Apache-2.0
// Quadric edge collapse onto existing vertices: what remains lies exactly on the body, the rim and the panels'
// outlines.

#include <algorithm>
#include <cmath>
#include <queue>

#include "shape.h"
#include "skeleton.h"
#include "surface.h"
#include "weights.h"

namespace throng::detail::mannequin {
namespace {

using glm::dvec3;

// The sum of squared distances to planes, as a function of a point.
struct Quadric {
  glm::dmat3 a{0.0};
  dvec3 b{0.0};
  double c = 0.0;

  void add_plane(const dvec3& normal, double offset, double weight) {
    a += weight * glm::outerProduct(normal, normal);
    b += weight * offset * normal;
    c += weight * offset * offset;
  }
  void add(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
  }
  double at(const dvec3& p) const { return glm::dot(p, a * p) + 2.0 * glm::dot(b, p) + c; }
};

double square(double x) { return x * x; }
double cubed(double x) { return x * x * x; }

// How much an error shows: more where people look and where the body bends.
double importance(const dvec3& p) {
  const auto near = [&p](const dvec3& centre, double reach) {
    return std::max(0.0, 1.0 - glm::distance(p, centre) / reach);
  };
  double value = 1.0;
  value += 3.0 * near({0.0, 1.68, 0.02}, 0.20);
  value += 1.0 * near(Landmarks::shoulder, 0.12);
  value += 2.0 * near(Landmarks::elbow(), 0.10);
  value += 1.5 * near(Landmarks::knee, 0.12);
  value += 1.0 * near(Landmarks::hip, 0.16);
  value += 0.8 * near(Landmarks::knuckles(), 0.12);
  value += 2.0 * near(Landmarks::mid_finger(), 0.09);
  value += 1.0 * near(Landmarks::ball, 0.16);
  value += 3.0 * near({0.17, 0.930, 0.0}, 0.06);
  value += 12.0 * near({0.0, 1.345, 0.12}, 0.05);
  value += 8.0 * near({0.08, 1.684, -0.014}, 0.03);
  return value;
}

class Thinner {
 public:
  explicit Thinner(Surface& surface) : surface_(surface), positions_(surface.positions) {
    const std::size_t count = positions_.size();
    quadrics_.resize(count);
    triangles_of_.resize(count);
    stamp_.resize(count);
    importance_.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
      importance_[v] = importance(positions_[v]);
      weights_.push_back(skin_weights(positions_[v]));
    }
    for (std::uint32_t t = 0; t < surface_.triangles.size(); ++t) add_triangle(t);
    find_features();
  }

  void run(std::size_t target) {
    for (std::uint32_t v = 0; v < positions_.size(); ++v) {
      for (const std::uint32_t w : neighbours(v)) push(v, w);
    }
    std::size_t alive = 0;
    for (const auto& list : triangles_of_) alive += list.empty() ? 0 : 1;
    while (alive > target && !queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (best.from_stamp != stamp_[best.from] || best.to_stamp != stamp_[best.to]) continue;
      if (!allowed(best.from, best.to)) continue;
      collapse(best.from, best.to);
      --alive;
    }
    compact();
  }

 private:
  struct Candidate {
    double cost;
    std::uint32_t from, to, from_stamp, to_stamp;
    // Ties are broken by index so that every compiler's heap gives the same mesh.
    bool operator<(const Candidate& o) const { return std::tie(o.cost, o.from, o.to) < std::tie(cost, from, to); }
  };
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  static Edge edge(std::uint32_t a, std::uint32_t b) { return std::minmax(a, b); }

  dvec3 area_normal(const Triangle& t) const {
    return glm::cross(positions_[t.v[1]] - positions_[t.v[0]], positions_[t.v[2]] - positions_[t.v[0]]);
  }

  void add_triangle(std::uint32_t t) {
    const Triangle& triangle = surface_.triangles[t];
    const dvec3 area = area_normal(triangle);
    const double length = glm::length(area);
    for (const std::uint32_t v : triangle.v) {
      triangles_of_[v].push_back(t);
      if (length <= 0.0) continue;
      const dvec3 normal = area / length;
      quadrics_[v].add_plane(normal, -glm::dot(normal, positions_[v]), 0.5 * length);
    }
  }

  // The rim and the outlines: their edges, and planes that hold vertices on them.
  void find_features() {
    std::vector<std::pair<Edge, std::uint32_t>> sides;
    for (std::uint32_t t = 0; t < surface_.triangles.size(); ++t) {
      const auto& v = surface_.triangles[t].v;
      for (int i = 0; i < 3; ++i) sides.emplace_back(edge(v[i], v[(i + 1) % 3]), t);
    }
    std::sort(sides.begin(), sides.end());
    features_of_.resize(positions_.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto [e, t] = sides[i];
      if (i > 0 && sides[i - 1].first == e) continue;
      const bool rim = i + 1 == sides.size() || sides[i + 1].first != e;
      if (!rim && surface_.triangles[t].panel == surface_.triangles[sides[i + 1].second].panel) continue;
      features_of_[e.first].push_back(e.second);
      features_of_[e.second].push_back(e.first);
      const dvec3 along = positions_[e.second] - positions_[e.first];
      const dvec3 normal = area_normal(surface_.triangles[t]);
      const dvec3 across = glm::cross(along, normal);
      if (glm::length(across) <= 0.0) continue;
      const dvec3 unit = glm::normalize(across);
      const double weight = 2.0 * glm::dot(along, along);
      for (const std::uint32_t v : {e.first, e.second})
        quadrics_[v].add_plane(unit, -glm::dot(unit, positions_[v]), weight);
    }
  }

  bool feature(std::uint32_t a, std::uint32_t b) const {
    const auto& list = features_of_[a];
    return std::find(list.begin(), list.end(), b) != list.end();
  }

  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> list;
    for (const std::uint32_t t : triangles_of_[v]) {
      for (const std::uint32_t w : surface_.triangles[t].v) {
        if (w != v) list.push_back(w);
      }
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  double cost(std::uint32_t from, std::uint32_t to) const {
    const double reach = glm::distance(positions_[from], positions_[to]);
    // Long edges bend badly under the skin weights, whatever the shape: 6 cm costs as much as a visible dent.
    const double stretch = cubed(square(reach / 0.060)) * 2e-9;
    const double shape = quadrics_[from].at(positions_[to]) + quadrics_[to].at(positions_[to]);
    const double even = 1e-4 * square(square(reach));
    const double outline = features_of_[from].empty() ? 1.0 : 12.0;  // a jagged outline is seen before a flat spot
    return (std::max(shape, 0.0) + even + stretch) * outline * std::max(importance_[from], importance_[to]);
  }

  void push(std::uint32_t from, std::uint32_t to) {
    if (may_move(from, to)) queue_.push({cost(from, to), from, to, stamp_[from], stamp_[to]});
  }

  void push_around(std::uint32_t v) {
    for (const std::uint32_t w : neighbours(v)) {
      push(v, w);
      push(w, v);
    }
  }

  // Free vertices go anywhere, those on one curve only along it, corners of curves stay.
  bool may_move(std::uint32_t from, std::uint32_t to) const {
    const std::size_t features = features_of_[from].size();
    return features == 0 || (features == 2 && feature(from, to));
  }

  bool allowed(std::uint32_t from, std::uint32_t to) const {
    const auto a = neighbours(from), b = neighbours(to);
    std::vector<std::uint32_t> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    std::size_t shared = 0;
    for (const std::uint32_t t : triangles_of_[from]) shared += has(t, to) ? 1 : 0;
    if (shared == 0 || common.size() != shared) return false;
    for (const std::uint32_t w : common) {
      if (triangles_of_[w].size() <= 3) return false;
      // A triangle whose other two edges are both outlines would fold the panel shut.
      if (feature(from, w) && !feature(from, to)) return false;
      if (feature(from, to) && feature(from, w) && feature(to, w)) return false;
    }
    for (const std::uint32_t t : triangles_of_[from]) {
      if (!has(t, to) && flips(t, from, to)) return false;
    }
    return std::all_of(a.begin(), a.end(), [&](std::uint32_t w) { return w == to || bends_softly(w, from, to); });
  }

  // Whether `w`, a neighbour of `from`, can have `to` in its place: a limb needs rings of vertices where it bends.
  bool bends_softly(std::uint32_t w, std::uint32_t from, std::uint32_t to) const {
    constexpr double kMost = 0.40;
    const double after = weight_difference(weights_[w], weights_[to]);
    return after < kMost || after <= weight_difference(weights_[w], weights_[from]);
  }

  bool has(std::uint32_t t, std::uint32_t v) const {
    const auto& c = surface_.triangles[t].v;
    return c[0] == v || c[1] == v || c[2] == v;
  }

  // How well a triangle lies on the body: the cosine between it and the skin at its worst corner, and its height over
  // its longest edge.
  struct Shape {
    double facing, height;
  };
  Shape shape(const Triangle& t) const {
    const dvec3 area = area_normal(t);
    const double length = glm::length(area);
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) {
      longest = std::max(longest, glm::distance(positions_[t.v[i]], positions_[t.v[(i + 1) % 3]]));
    }
    if (length <= 0.0) return {-1.0, 0.0};
    Shape result{1.0, length / (longest * longest)};
    for (const std::uint32_t v : t.v)
      result.facing = std::min(result.facing, glm::dot(area / length, body_normal_of(v)));
    return result;
  }

  // Folds over or turns into a needle, and was not worse before.
  bool flips(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
    constexpr double kFacing = 0.45, kHeight = 0.12;
    Triangle moved = surface_.triangles[t];
    for (std::uint32_t& v : moved.v) v = v == from ? to : v;
    const Shape after = shape(moved);
    if (after.facing >= kFacing && after.height >= kHeight) return false;
    const Shape before = shape(surface_.triangles[t]);
    return after.facing < std::min(kFacing, before.facing) || after.height < std::min(kHeight, before.height);
  }

  const dvec3& body_normal_of(std::uint32_t v) const {
    if (normals_.empty()) normals_.resize(positions_.size(), dvec3(0.0));
    if (normals_[v] == dvec3(0.0)) normals_[v] = body_normal(positions_[v]);
    return normals_[v];
  }

  void collapse(std::uint32_t from, std::uint32_t to) {
    quadrics_[to].add(quadrics_[from]);
    importance_[to] = std::max(importance_[to], importance_[from]);
    for (const std::uint32_t t : triangles_of_[from]) {
      Triangle& triangle = surface_.triangles[t];
      if (has(t, to)) {
        for (const std::uint32_t v : triangle.v) {
          if (v != from) std::erase(triangles_of_[v], t);
        }
        continue;
      }
      for (std::uint32_t& v : triangle.v) v = v == from ? to : v;
      triangles_of_[to].push_back(t);
    }
    triangles_of_[from].clear();
    for (const std::uint32_t w : features_of_[from]) {
      std::erase(features_of_[w], from);
      if (w == to) continue;
      features_of_[w].push_back(to);
      features_of_[to].push_back(w);
    }
    features_of_[from].clear();
    ++stamp_[from];
    ++stamp_[to];
    push_around(to);
  }

  void compact() {
    std::vector<std::uint32_t> renamed(positions_.size());
    std::vector<dvec3> positions;
    std::vector<bool> kept(surface_.triangles.size(), false);
    for (std::uint32_t v = 0; v < positions_.size(); ++v) {
      renamed[v] = static_cast<std::uint32_t>(positions.size());
      if (!triangles_of_[v].empty()) positions.push_back(positions_[v]);
      for (const std::uint32_t t : triangles_of_[v]) kept[t] = true;
    }
    std::vector<Triangle> triangles;
    for (std::size_t t = 0; t < kept.size(); ++t) {
      if (!kept[t]) continue;
      Triangle triangle = surface_.triangles[t];
      for (std::uint32_t& v : triangle.v) v = renamed[v];
      triangles.push_back(triangle);
    }
    surface_ = {std::move(positions), std::move(triangles)};
  }

  Surface& surface_;
  std::vector<dvec3> positions_;
  std::vector<Quadric> quadrics_;
  std::vector<std::vector<std::uint32_t>> triangles_of_;
  std::vector<std::vector<std::uint32_t>> features_of_;
  std::vector<std::uint32_t> stamp_;
  std::vector<double> importance_;
  std::vector<Influences> weights_;
  mutable std::vector<dvec3> normals_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

void thin_out(Surface& surface, std::size_t vertices) { Thinner(surface).run(vertices); }

}  // namespace throng::detail::mannequin
