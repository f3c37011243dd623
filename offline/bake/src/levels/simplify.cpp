// SPDX-License-Identifier: Apache-2.0
#include "levels/simplify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "levels/loose_pieces.h"
#include "levels/quadric.h"
#include "levels/triangle_tree.h"

namespace throng::detail::bake {
namespace {

// What a change of looks counts for, of the extent: a normal turned by 60°, and a texture coordinate or a colour off by
// its whole range.
constexpr double kNormalLength = 0.02;
constexpr double kTextureLength = 0.1;
constexpr double kColourLength = 0.05;
// Below a third of the triangles looks count for less, for half of what they did with every third that is left.
constexpr double kThird = 0.35;
constexpr double kLooksFurtherAway = 0.5;
constexpr double kBorderWeight = 4.0;    // of an open edge, against a triangle as large as its square
constexpr double kLeastTurn = 0.2;       // cosine of how far a step may turn a triangle
constexpr double kThin = 1e-3;           // a triangle's width over its length
constexpr std::size_t kPosesGained = 6;  // in which it is looked how far what is left is from what was there
// A place with more triangles around it (the hub of a wheel) stays where it is, and what happens to its spokes is not
// looked for all around it: otherwise every step would cost as much as there are spokes.
constexpr std::size_t kMostAround = 64;
constexpr std::size_t kMostHeirs = 64;  // vertices of one place that are tried
constexpr std::size_t kTold = 200;      // times that it is told how far it is, at most
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Step {
  double cost = 0.0;        // squared length
  double least_cost = 0.0;  // without what it loses
  std::uint32_t from = 0, to = 0;
  std::uint32_t stamp = 0;      // of `from`: an older one is out of date
  std::uint32_t looked_at = 0;  // after how many steps it was looked what it loses; 0: not yet

  // The cheapest first; of equals, by number, so that the order is always the same.
  bool operator<(const Step& o) const {
    return cost != o.cost ? cost > o.cost : from != o.from ? from > o.from : to > o.to;
  }
};

Attributes attributes_of(const BakedVertex& vertex, double extent) {
  Attributes out{};
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    out[k] = kNormalLength * extent * static_cast<double>(vertex.normal[i]);
    out[5 + k] = kColourLength * extent * static_cast<double>(vertex.colour[k]) / 255.0;
  }
  for (int i = 0; i < 2; ++i) {
    out[3 + static_cast<std::size_t>(i)] = kTextureLength * extent * static_cast<double>(vertex.uv[i]);
  }
  return out;
}

// A triangle in four poses.
struct Faces {
  Faces(const Points4& a, const Points4& b, const Points4& c) : ab(b - a), ac(c - a) {}

  Points4 ab, ac, bc = ac - ab;
  Points4 across = cross(ab, ac);
  Double4 size = square_root(dot(across, across));
  // At this size a triangle is so much longer than wide that where it faces is chance.
  Double4 thin = kThin * greatest(dot(ab, ab), greatest(dot(ac, ac), dot(bc, bc)));
};

// Whether a triangle faces elsewhere, or has no face any more, in any of the poses in which it had one.
bool turned_over(const Faces& was, const Faces& is) {
  const Double4 along = dot(was.across, is.across), least = kLeastTurn * was.size * is.size;
  const auto over = [](Double2 was_size, Double2 was_thin, Double2 is_size, Double2 is_thin, Double2 cosine,
                       Double2 least_cosine) {
    const auto turned = (was_size > was_thin) & ((is_size <= is_thin) | (cosine < least_cosine));
    return (turned[0] | turned[1]) != 0;
  };
  return over(was.size.low, was.thin.low, is.size.low, is.thin.low, along.low, least.low) ||
         over(was.size.high, was.thin.high, is.size.high, is.thin.high, along.high, least.high);
}

class Simplifier {
 public:
  Simplifier(const LevelMesh& welded, const BakedMesh& mesh, double looks,
             const std::vector<std::vector<std::size_t>>& counts, const std::function<void(double)>& done)
      : in_(welded),
        mesh_(mesh),
        looks_(looks),
        done_(done),
        fours_((welded.poses.size() + 3) / 4),
        corners_(welded.corners),
        alive_(welded.triangle_count(), 1) {
    const std::size_t places = in_.members.size();
    around_.resize(places);
    planes_.resize(places * fours_);
    place_poses();
    stamps_.assign(places, 0);
    changed_.assign(places, 0);
    gone_.assign(places, 0);
    refused_.resize(places);
    stood_.resize(places);
    lay_.resize(places);
    attributes_.reserve(mesh.vertices.size());
    for (const BakedVertex& vertex : mesh.vertices) attributes_.push_back(attributes_of(vertex, in_.extent));
    surfaces_.resize(mesh.vertices.size());
    clusters_.resize(in_.cluster_count);
    for (std::size_t i = 0; i < clusters_.size(); ++i) clusters_[i].counts = counts[i];
    cluster_of_.assign(places, 0);
    for (std::uint32_t t = 0; t < alive_.size(); ++t) start(t);
    for (std::uint32_t at = 0; at < places; ++at) mark(at);
    for (std::uint32_t at = 0; at < places; ++at) clusters_[cluster_of_[at]].places.push_back(at);
    for (const TriangleEdge& edge : in_.open_edges) add_border(edge, 1.0);
    for (const DrawEdge& edge : in_.draw_edges) add_border(edge.edge, edge.contrast);
    pieces_ = loose_pieces(in_);
    for (Cluster& cluster : clusters_) {
      cluster.full = cluster.count;
      take(cluster);
      offer_everything(cluster);
    }
  }

  // Until every cluster has been as coarse as asked for, or until nothing can be done any more.
  std::vector<std::vector<SimplifiedMesh>> run() {
    const auto wanting = [](const Cluster& cluster) { return cluster.wants_more(); };
    while (std::ranges::any_of(clusters_, wanting) && !(steps_.empty() && pieces_.empty())) {
      if (!pieces_.empty() && (steps_.empty() || square(pieces_.back().size) <= steps_.top().cost)) {
        drop_piece();
        continue;
      }
      Step step = steps_.top();
      steps_.pop();
      Cluster& cluster = clusters_[cluster_of_[step.from]];
      if (!cluster.wants_more() || is_old(step) || !adjacent(step.from, step.to)) continue;
      if (turns_over(step)) {
        refused_[step.from].push_back(step.to);
        continue;
      }
      if (!look(step)) {
        steps_.push(step);
        continue;
      }
      collapse(step.from, step.to);
      if (take(cluster)) offer_everything(cluster);
      tell();
    }
    std::vector<std::vector<SimplifiedMesh>> out;
    for (Cluster& cluster : clusters_) {
      while (cluster.wants_more()) cluster.taken.push_back(result(cluster));
      out.push_back(std::move(cluster.taken));
    }
    if (done_) done_(1.0 - told_);
    return out;
  }

 private:
  // The middle between two places, or one place twice.
  using Mark = std::pair<std::uint32_t, std::uint32_t>;

  struct Cluster {
    std::vector<std::uint32_t> places, triangles;
    std::size_t full = 0;   // triangles at first
    std::size_t count = 0;  // now
    double looks = 0.0;     // what they count for now, of what the shape does
    std::vector<std::size_t> counts;
    std::vector<SimplifiedMesh> taken;  // for each of the first counts

    bool wants_more() const { return taken.size() < counts.size(); }
  };

  // Steps take about as long as one another, so triangles that are gone tell how far it is.
  void tell() {
    if (!done_ || ++untold_ * kTold < alive_.size()) return;
    untold_ = 0;
    double gone = 0.0, wanted = 0.0;
    for (const Cluster& cluster : clusters_) {
      if (cluster.counts.empty()) continue;
      const std::size_t last = std::min(cluster.counts.back(), cluster.full);
      gone += static_cast<double>(cluster.full - std::max(cluster.count, last));
      wanted += static_cast<double>(cluster.full - last);
    }
    const double share = wanted > 0.0 ? gone / wanted : 0.0;
    if (share <= told_) return;
    done_(share - told_);
    told_ = share;
  }

  SimplifiedMesh result(const Cluster& cluster) const {
    SimplifiedMesh out;
    for (const std::uint32_t t : cluster.triangles) {
      if (alive_[t] == 0) continue;
      out.draw.push_back(in_.draw[t]);
      out.corners.insert(out.corners.end(), corners_.begin() + 3 * t, corners_.begin() + 3 * t + 3);
    }
    return out;
  }

  // Keeps the cluster as it is for the counts that it has reached; whether there were any.
  bool take(Cluster& cluster) const {
    const std::size_t before = cluster.taken.size();
    while (cluster.wants_more() && cluster.count <= cluster.counts[cluster.taken.size()]) {
      cluster.taken.push_back(result(cluster));
    }
    return cluster.taken.size() > before;
  }

  double looks_of(const Cluster& cluster) const {
    const double left =
        static_cast<double>(cluster.count) / static_cast<double>(std::max<std::size_t>(1, cluster.full));
    const double thirds = left > 0.0 ? std::log(left) / std::log(kThird) : 0.0;
    return looks_ * std::pow(kLooksFurtherAway, std::max(0.0, thirds - 1.0));
  }

  bool is_old(const Step& step) const {
    return gone_[step.from] != 0 || gone_[step.to] != 0 || step.stamp != stamps_[step.from];
  }

  static double square(double v) { return v * v; }

  // Behind the last pose it is repeated.
  void place_poses() {
    const std::size_t places = in_.members.size();
    stands_.resize(places * fours_);
    floats_.resize(places * fours_);
    for (std::size_t p = 0; p < places; ++p) {
      for (std::size_t pose = 0; pose < 4 * fours_; ++pose) {
        const glm::dvec3& at = in_.poses[std::min(pose, in_.poses.size() - 1)][p];
        Points4& doubles = stands_[p * fours_ + pose / 4];
        doubles.x.set(pose % 4, at.x);
        doubles.y.set(pose % 4, at.y);
        doubles.z.set(pose % 4, at.z);
        Vectors4& floats = floats_[p * fours_ + pose / 4];
        const glm::vec3 rounded(at);
        floats.x[pose % 4] = rounded.x;
        floats.y[pose % 4] = rounded.y;
        floats.z[pose % 4] = rounded.z;
      }
    }
  }
  const Points4& stands(std::uint32_t at, std::size_t four) const { return stands_[at * fours_ + four]; }
  const Vectors4& floats_of(std::uint32_t at, std::size_t four) const { return floats_[at * fours_ + four]; }
  void add_plane_at(std::uint32_t at, std::size_t pose, const glm::dvec3& normal, const glm::dvec3& on_it,
                    double weight) {
    planes_[at * fours_ + pose / 4].add_plane(pose % 4, normal, on_it, weight);
  }

  std::uint32_t place(std::uint32_t t, std::size_t k) const { return in_.place_of[corners_[3 * t + k]]; }
  std::array<std::uint32_t, 3> places(std::uint32_t t) const { return {place(t, 0), place(t, 1), place(t, 2)}; }
  std::array<std::uint32_t, 3> places_after(const Step& step, std::uint32_t t) const {
    std::array<std::uint32_t, 3> out = places(t);
    std::replace(out.begin(), out.end(), step.from, step.to);
    return out;
  }
  bool has(std::uint32_t t, std::uint32_t at) const {
    return place(t, 0) == at || place(t, 1) == at || place(t, 2) == at;
  }
  bool adjacent(std::uint32_t from, std::uint32_t to) const {
    return std::any_of(around_[from].begin(), around_[from].end(), [&](std::uint32_t t) { return has(t, to); });
  }

  void start(std::uint32_t t) {
    if (is_degenerate(places(t))) {
      alive_[t] = 0;
      return;
    }
    Cluster& cluster = clusters_[in_.cluster[t]];
    ++cluster.count;
    cluster.triangles.push_back(t);
    for (const std::uint32_t at : places(t)) {
      around_[at].push_back(t);
      cluster_of_[at] = in_.cluster[t];
    }
    for (std::size_t pose = 0; pose < in_.poses.size(); ++pose) add_plane(t, pose);
    add_surface(t);
  }

  // What the surface is known by around a place: the place, and the middles of the edges to its neighbours.
  void mark(std::uint32_t at) {
    stood_[at].push_back({at, at});
    neighbours_of(at, neighbours_);
    for (const std::uint32_t other : neighbours_) stood_[at].push_back(std::minmax(at, other));
    std::ranges::sort(stood_[at]);
    lay_[at] = around_[at];
  }

  void add_plane(std::uint32_t t, std::size_t pose) {
    const auto& at = in_.poses[pose];
    const glm::dvec3 a = at[place(t, 0)];
    const glm::dvec3 across = glm::cross(at[place(t, 1)] - a, at[place(t, 2)] - a);
    const double area = glm::length(across);
    if (area <= 0.0) return;
    for (std::size_t k = 0; k < 3; ++k) add_plane_at(place(t, k), pose, across / area, a, area);
  }

  // How the triangle's attributes change along it, in the reference pose.
  void add_surface(std::uint32_t t) {
    const auto& at = in_.poses[0];
    const std::array<glm::dvec3, 3> p{at[place(t, 0)], at[place(t, 1)], at[place(t, 2)]};
    const glm::dvec3 across = glm::cross(p[1] - p[0], p[2] - p[0]);
    const double area = glm::length(across);
    if (area <= 0.0) return;
    std::array<glm::dvec3, kAttributes> gradients{};
    Attributes origins{};
    for (std::size_t k = 0; k < 3; ++k) {
      const glm::dvec3 rise = glm::cross(across, p[(k + 2) % 3] - p[(k + 1) % 3]) / (area * area);
      for (std::size_t j = 0; j < kAttributes; ++j) gradients[j] += attributes_[corners_[3 * t + k]][j] * rise;
    }
    for (std::size_t j = 0; j < kAttributes; ++j) {
      origins[j] = attributes_[corners_[3 * t]][j] - glm::dot(gradients[j], p[0]);
    }
    for (std::size_t k = 0; k < 3; ++k) surfaces_[corners_[3 * t + k]].add_triangle(gradients, origins, area);
  }

  // An open edge holds its line, and one between colours, by how unlike they are.
  void add_border(const TriangleEdge& border, double share) {
    const std::uint32_t t = border.triangle;
    const std::size_t k = border.corner;
    const std::uint32_t from = place(t, k), to = place(t, (k + 1) % 3), third = place(t, (k + 2) % 3);
    for (std::size_t pose = 0; pose < in_.poses.size(); ++pose) {
      const auto& at = in_.poses[pose];
      const glm::dvec3 edge = at[to] - at[from];
      const glm::dvec3 upright = glm::cross(glm::cross(edge, at[third] - at[from]), edge);
      const double length = glm::length(upright);
      if (length <= 0.0) continue;
      const double weight = share * kBorderWeight * glm::dot(edge, edge);
      add_plane_at(from, pose, upright / length, at[from], weight);
      add_plane_at(to, pose, upright / length, at[from], weight);
    }
  }

  void drop_piece() {
    Cluster& cluster = clusters_[in_.cluster[pieces_.back().triangles[0]]];
    for (const std::uint32_t t : pieces_.back().triangles) {
      if (alive_[t] == 0) continue;
      for (const std::uint32_t at : places(t)) gone_[at] = 1;
      alive_[t] = 0;
      --cluster.count;
    }
    pieces_.pop_back();
    if (take(cluster)) offer_everything(cluster);
  }

  // The vertex of `to` that suits the triangles around a vertex best, of the same mesh and on the same side of
  // a mirrored texture, and what it costs.
  std::uint32_t heir(std::uint32_t vertex, std::uint32_t to, double& cost) const {
    std::uint32_t best = kNone;
    std::size_t tried = 0;
    cost = std::numeric_limits<double>::infinity();
    for (const std::uint32_t other : in_.members[to]) {
      if (mesh_.origins[other].mesh != mesh_.origins[vertex].mesh) continue;
      if (!mesh_.tangents.empty() && mesh_.tangents[other].w != mesh_.tangents[vertex].w) continue;
      if (++tried > kMostHeirs) break;
      const double here = surfaces_[vertex].at(in_.poses[0][to], attributes_[other]);
      if (here >= cost) continue;
      cost = here;
      best = other;
    }
    return best;
  }

  bool is_hub(std::uint32_t at) const { return around_[at].size() > kMostAround; }

  // Offers nothing where a mesh that is here has no vertex there: its border would move.
  void offer(std::uint32_t from, std::uint32_t to) {
    if (is_hub(from)) return;
    Double4 shapes;
    for (std::size_t four = 0; four < fours_; ++four)
      shapes = greatest(shapes, planes_[from * fours_ + four].at(stands(to, four)));
    const double shape = std::max({shapes[0], shapes[1], shapes[2], shapes[3]});
    double looks = 0.0, weight = 0.0;
    for (const std::uint32_t vertex : in_.members[from]) {
      if (!used(vertex, from)) continue;
      double cost = 0.0;
      if (heir(vertex, to, cost) == kNone) return;
      looks += cost;
      weight += surfaces_[vertex].weight();
    }
    if (weight > 0.0) looks *= square(clusters_[cluster_of_[from]].looks) / weight;
    steps_.push({shape + looks, shape + looks, from, to, stamps_[from], 0});
  }

  bool used(std::uint32_t vertex, std::uint32_t place) const {
    const auto& around = around_[place];
    return std::any_of(around.begin(), around.end(), [&](std::uint32_t t) {
      return corners_[3 * t] == vertex || corners_[3 * t + 1] == vertex || corners_[3 * t + 2] == vertex;
    });
  }

  void neighbours_of(std::uint32_t place_index, std::vector<std::uint32_t>& out) const {
    out.clear();
    for (const std::uint32_t t : around_[place_index]) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (place(t, k) != place_index) out.push_back(place(t, k));
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  // Offers all steps of a cluster again: looks count for less than when they were offered last.
  void offer_everything(Cluster& cluster) {
    cluster.looks = looks_of(cluster);
    std::erase_if(cluster.places, [&](std::uint32_t at) { return gone_[at] != 0; });
    for (const std::uint32_t from : cluster.places) {
      ++stamps_[from];
      refused_[from].clear();
      neighbours_of(from, neighbours_);
      for (const std::uint32_t to : neighbours_) offer(from, to);
    }
  }

  // Whether a triangle that stays would face elsewhere, or have no face any more, in any pose in which it has one.
  bool turns_over(const Step& step) const {
    for (const std::uint32_t t : around_[step.from]) {
      if (has(t, step.to)) continue;
      const auto before = places(t), after = places_after(step, t);
      for (std::size_t four = 0; four < fours_; ++four) {
        const auto faces = [&](const auto& at) {
          return Faces(stands(at[0], four), stands(at[1], four), stands(at[2], four));
        };
        if (turned_over(faces(before), faces(after))) return true;
      }
    }
    return false;
  }

  // Whether the step's cost is known to be no more than it says, or is now that it was looked.
  bool look(Step& step) {
    if (step.looked_at > std::max(changed_[step.from], changed_[step.to])) return true;
    const double said = step.cost;
    step.cost = std::max(step.least_cost, loss(step));
    step.looked_at = taken_ + 1;
    return step.cost <= said;
  }

  // How far what stood here is from the triangles that would be left, squared, in the pose in which that is
  // most. Planes do not tell: the tip of a sword stays in those of its blade however short the sword becomes. The four
  // poses with the one that was worst last time come first, and of each mark the triangle that was nearest in the four
  // before: what is found is the same in any order, but sooner.
  double loss(const Step& step) {
    ring_.clear();
    for (const std::uint32_t at : {step.from, step.to}) {
      if (is_hub(at)) continue;
      for (const std::uint32_t t : around_[at]) {
        const auto after = places_after(step, t);
        if (!is_degenerate(after)) ring_.push_back(after);
      }
    }
    const std::vector<Mark>& marks = stood_[step.from];
    nearest_.assign(marks.size(), 0);
    float most = 0.0f;
    std::size_t worst = worst_four_;
    for (std::size_t i = 0; i < fours_; ++i) {
      const std::size_t four = (worst_four_ + i) % fours_;
      const auto at = [&](std::uint32_t p) -> const Vectors4& { return floats_of(p, four); };
      for (std::size_t m = 0; m < marks.size(); ++m) {
        const Vectors4 here = (at(marks[m].first) + at(marks[m].second)) * splat(0.5f);
        const Vectors4 way = at(step.to) - here;
        Float4 nearest = dot(way, way);
        const std::size_t first = nearest_[m];
        for (std::size_t r = 0; r < ring_.size() && any(nearest > most); ++r) {
          const std::size_t number = r == 0 ? first : r <= first ? r - 1 : r;
          const auto& t = ring_[number];
          const Float4 squared = nearest_of_triangles({at(t[0]), at(t[1]), at(t[2])}, here).squared;
          if (!any(squared < nearest)) continue;
          nearest = least(nearest, squared);
          nearest_[m] = number;
        }
        if (!any(nearest > most)) continue;
        most = std::max({nearest[0], nearest[1], nearest[2], nearest[3]});
        worst = four;
      }
    }
    worst_four_ = worst;
    return static_cast<double>(gain(step, most));
  }

  // How far the triangles that would be left are from those that lay here, squared, where that is more than `most`: a
  // notch that is bridged lies on what is left of its sides.
  float gain(const Step& step, float most) const {
    for (const std::uint32_t t : around_[step.from]) {
      const auto after = places_after(step, t);
      if (is_degenerate(after)) continue;
      const bool hub = std::ranges::any_of(after, [&](std::uint32_t at) { return is_hub(at); });
      for (std::size_t pose = 0; !hub && pose < std::min(kPosesGained, in_.poses.size()); ++pose) {
        const Float4 a = in_one(after[0], pose), b = in_one(after[1], pose), c = in_one(after[2], pose);
        const std::array here{(a + b + c) * (1.0f / 3.0f), (a + b) * 0.5f, (b + c) * 0.5f, (c + a) * 0.5f};
        const Float4 squared = to_what_lay(step.from, after, pose, vectors_of(here.data()), most);
        most = std::max({most, squared[0], squared[1], squared[2], squared[3]});
      }
    }
    return most;
  }

  Float4 in_one(std::uint32_t at, std::size_t pose) const {
    const Vectors4& all = floats_of(at, pose / 4);
    return Float4{all.x[pose % 4], all.y[pose % 4], all.z[pose % 4], 0.0f};
  }

  // The squared distances of points from the triangles that lay around any of these places; where all are no more than
  // `enough` they may be less.
  Float4 to_what_lay(std::uint32_t from, const std::array<std::uint32_t, 3>& places_now, std::size_t pose,
                     const Vectors4& here, float enough) const {
    const auto at = [&](std::uint32_t p) {
      const Float4 one = in_one(p, pose);
      return Vectors4{splat(one[0]), splat(one[1]), splat(one[2])};
    };
    Float4 nearest = splat(std::numeric_limits<float>::infinity());
    for (const std::uint32_t place_index : {from, places_now[0], places_now[1], places_now[2]}) {
      for (const std::uint32_t t : lay_[place_index]) {
        const auto k = in_.places(t);
        nearest = least(nearest, nearest_of_triangles({at(k[0]), at(k[1]), at(k[2])}, here).squared);
        if (!any(nearest > enough)) return nearest;
      }
    }
    return nearest;
  }

  void collapse(std::uint32_t from, std::uint32_t to) {
    const bool at_hub = is_hub(to);
    // Around a hub only what `from` touched is looked at again.
    neighbours_of(at_hub ? from : to, at_hub ? neighbours_ : before_);
    for (const std::uint32_t vertex : in_.members[from]) hand_over(vertex, from, to);
    for (std::size_t four = 0; four < fours_; ++four) planes_[to * fours_ + four] += planes_[from * fours_ + four];
    std::vector<Mark> both;
    std::ranges::set_union(stood_[from], stood_[to], std::back_inserter(both));
    stood_[to] = std::move(both);
    stood_[from] = {};
    std::vector<std::uint32_t> lay;
    std::ranges::set_union(lay_[from], lay_[to], std::back_inserter(lay));
    lay_[to] = std::move(lay);
    lay_[from] = {};
    gone_[from] = 1;
    take_triangles(from, to);
    ++taken_;
    ++stamps_[to];
    changed_[to] = taken_;
    refused_[to].clear();
    if (at_hub) {
      std::erase(neighbours_, to);
    } else {
      neighbours_of(to, neighbours_);
      for (const std::uint32_t other : neighbours_) offer(to, other);
    }
    for (const std::uint32_t neighbour : neighbours_) {
      changed_[neighbour] = taken_;
      if (at_hub || !std::binary_search(before_.begin(), before_.end(), neighbour)) offer(neighbour, to);
      again_.swap(refused_[neighbour]);
      for (const std::uint32_t other : again_) {
        if (gone_[other] == 0) offer(neighbour, other);
      }
      again_.clear();
    }
  }

  // The triangles around `from` are now around `to`; those between the two are gone.
  void take_triangles(std::uint32_t from, std::uint32_t to) {
    auto& mine = around_[to];
    for (const std::uint32_t t : around_[from]) {
      if (!is_degenerate(places(t))) {
        mine.push_back(t);
        continue;
      }
      alive_[t] = 0;
      --clusters_[in_.cluster[t]].count;
      for (const std::uint32_t at : places(t)) {
        auto& list = around_[at];
        list.erase(std::remove(list.begin(), list.end(), t), list.end());
      }
    }
    around_[from] = {};
  }

  // The triangles' corners at `vertex` go to its heir.
  void hand_over(std::uint32_t vertex, std::uint32_t from, std::uint32_t to) {
    if (!used(vertex, from)) return;
    double cost = 0.0;
    const std::uint32_t other = heir(vertex, to, cost);
    surfaces_[other] += surfaces_[vertex];
    for (const std::uint32_t t : around_[from]) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (corners_[3 * t + k] == vertex) corners_[3 * t + k] = other;
      }
    }
  }

  const LevelMesh& in_;
  const BakedMesh& mesh_;
  double looks_;
  const std::function<void(double)>& done_;
  double told_ = 0.0;       // what share of the work
  std::size_t untold_ = 0;  // steps since then
  std::size_t fours_ = 0;   // of four poses each
  std::vector<std::uint32_t> corners_;
  std::vector<std::uint8_t> alive_;                 // per triangle
  std::vector<std::vector<std::uint32_t>> around_;  // per place: triangles
  std::vector<PlaneQuadrics4> planes_;              // per place and four poses
  std::vector<Points4> stands_;                     // per place and four poses: where it is
  std::vector<Vectors4> floats_;                    // the same, as it is where distances are looked for
  std::vector<Attributes> attributes_;              // per vertex
  std::vector<AttributeQuadric> surfaces_;          // per vertex
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> cluster_of_;            // per place
  std::vector<std::uint32_t> stamps_;                // per place: steps of another stamp are out of date
  std::vector<std::uint32_t> changed_;               // per place: with which step the triangles around it changed last
  std::vector<std::uint8_t> gone_;                   // per place
  std::vector<std::vector<std::uint32_t>> refused_;  // per place: where it cannot go as long as nothing changes
  std::vector<std::vector<Mark>> stood_;             // per place: marks of those that went there, in order
  std::vector<std::vector<std::uint32_t>> lay_;      // per place: the full mesh's triangles around those, in order
  std::vector<LoosePiece> pieces_;
  std::priority_queue<Step> steps_;
  std::uint32_t taken_ = 0;  // steps
  std::vector<std::array<std::uint32_t, 3>> ring_;
  std::vector<std::size_t> nearest_;  // of each mark, in ring_
  std::size_t worst_four_ = 0;        // of the last step that was looked at
  std::vector<std::uint32_t> neighbours_, before_, again_;
};

}  // namespace

std::vector<std::vector<SimplifiedMesh>> simplify(const LevelMesh& level_mesh, const BakedMesh& mesh, double looks,
                                                  const std::vector<std::vector<std::size_t>>& counts,
                                                  const std::function<void(double)>& done) {
  return Simplifier(level_mesh, mesh, looks, counts, done).run();
}

}  // namespace throng::detail::bake
