// SPDX-License-Identifier: Apache-2.0
#include "faces/monotone_pieces.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "faces/exact_orientation.h"
#include "faces/sweep_status.h"

namespace throng::detail::import {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = SweepStatus::kNone;

struct Diagonal {
  Index a;
  Index b;
};

// The outline with its points in the order in which the line, rising, meets them.
struct Outline {
  const std::vector<glm::dvec2>& points;
  std::vector<Index> order;
  std::vector<Index> rank;  // of each point in `order`

  Index size() const { return static_cast<Index>(points.size()); }
  Index next(Index i) const { return i + 1 == size() ? 0 : i + 1; }
  Index previous(Index i) const { return i == 0 ? size() - 1 : i - 1; }
  int turn(Index a, Index b, Index c) const { return orientation(points[a], points[b], points[c]); }
};

Outline in_order(const std::vector<glm::dvec2>& points) {
  Outline outline{points, std::vector<Index>(points.size()), std::vector<Index>(points.size())};
  std::iota(outline.order.begin(), outline.order.end(), 0u);
  std::sort(outline.order.begin(), outline.order.end(), [&points](Index a, Index b) {
    if (points[a].y != points[b].y) return points[a].y < points[b].y;
    if (points[a].x != points[b].x) return points[a].x < points[b].x;
    return a < b;
  });
  for (Index i = 0; i < outline.size(); ++i) outline.rank[outline.order[i]] = i;
  return outline;
}

// Finds the diagonals. The status holds edges with the inside to their right, which run down: edge i goes from point i
// to the next. Each remembers its helper, the last point seen between it and the edge to its right.
class Sweep {
 public:
  explicit Sweep(const Outline& outline)
      : o_(outline), status_(outline.size()), node_of_edge_(outline.size(), kNone), is_merge_(outline.size()) {}

  // False where an edge that must be there is not.
  bool run() {
    for (const Index point : o_.order) {
      if (!pass(point)) return false;
    }
    return true;
  }

  std::vector<Diagonal> diagonals;

 private:
  bool pass(Index point) {
    const bool previous_above = o_.rank[o_.previous(point)] > o_.rank[point];
    const bool next_above = o_.rank[o_.next(point)] > o_.rank[point];
    if (previous_above && next_above) return is_convex(point) ? start(point) : split(point);
    if (!previous_above && !next_above) return is_convex(point) ? end(point) : merge(point);
    return previous_above ? go_on_left(point) : go_on_right(point);
  }

  bool is_convex(Index point) const { return o_.turn(o_.previous(point), point, o_.next(point)) > 0; }

  bool start(Index point) {
    insert(edge_to(point), left_of(point), point);
    return true;
  }

  bool split(Index point) {
    const Index left = left_of(point);
    if (left == kNone) return false;
    diagonals.push_back({point, helper_[left]});
    helper_[left] = point;
    insert(edge_to(point), left, point);
    return true;
  }

  bool end(Index point) {
    const Index node = node_of_edge_[point];
    join_merge(node, point);
    status_.erase(node);
    return true;
  }

  bool merge(Index point) {
    const Index node = node_of_edge_[point];
    join_merge(node, point);
    const Index left = status_.before(node);
    status_.erase(node);
    if (left == kNone) return false;
    join_merge(left, point);
    helper_[left] = point;
    is_merge_[point] = true;
    return true;
  }

  // On the left side of the inside: one edge ends and the next takes its place.
  bool go_on_left(Index point) {
    const Index node = node_of_edge_[point];
    join_merge(node, point);
    const Index edge = edge_to(point);
    node_of_edge_[edge] = node;
    edge_of_node_[node] = edge;
    helper_[node] = point;
    return true;
  }

  bool go_on_right(Index point) {
    const Index left = left_of(point);
    if (left == kNone) return false;
    join_merge(left, point);
    helper_[left] = point;
    return true;
  }

  Index edge_to(Index point) const { return o_.previous(point); }

  void join_merge(Index node, Index point) {
    if (is_merge_[helper_[node]]) diagonals.push_back({point, helper_[node]});
  }

  void insert(Index edge, Index behind, Index helper) {
    node_of_edge_[edge] = status_.insert_after(behind);
    edge_of_node_.push_back(edge);
    helper_.push_back(helper);
  }

  // Where the outline touches the edge, the side from which it came tells.
  Index left_of(Index point) const {
    return status_.last_left([&](Index node) {
      const Index upper = edge_of_node_[node];
      const Index lower = o_.next(upper);
      for (const Index p : {point, o_.previous(point), o_.next(point)}) {
        if (const int side = o_.turn(upper, lower, p); side != 0) return side > 0;
      }
      return false;
    });
  }

  const Outline& o_;
  SweepStatus status_;
  std::vector<Index> node_of_edge_;
  std::vector<Index> edge_of_node_;
  std::vector<Index> helper_;  // of each node
  std::vector<bool> is_merge_;
};

// The pieces that the diagonals cut the outline into, as rounds of half-edges: 2 k and 2 k + 1 are the two directions
// of edge k; the outline's edges come first.
class Pieces {
 public:
  Pieces(const Outline& outline, const std::vector<Diagonal>& diagonals) : o_(outline) {
    for (Index i = 0; i < o_.size(); ++i) add_edge(i, o_.next(i));
    for (const Diagonal& diagonal : diagonals) add_edge(diagonal.a, diagonal.b);
    sort_around_points();
  }

  // Calls use(points of a piece, anticlockwise) for each, until it says false. False too where the pieces are not as
  // many as so many diagonals leave: they then cross.
  template <class Use>
  bool for_each(Use use) const {
    std::vector<bool> done(target_.size());
    const std::size_t expected = target_.size() / 2 - o_.size() + 1;
    std::size_t found = 0;
    std::vector<Index> piece;
    for (Index first = 0; first < target_.size(); ++first) {
      if (done[first] || is_outside(first)) continue;
      piece.clear();
      for (Index half = first; !done[half]; half = next_in_piece(half)) {
        if (is_outside(half)) return false;
        done[half] = true;
        piece.push_back(target_[half]);
      }
      if (++found > expected || !use(piece)) return false;
    }
    return found == expected;
  }

 private:
  void add_edge(Index from, Index to) {
    target_.push_back(to);
    target_.push_back(from);
  }

  Index origin(Index half) const { return target_[half ^ 1u]; }
  bool is_outside(Index half) const { return half < 2 * o_.size() && half % 2 == 1; }

  // The first edge clockwise from the one it came by.
  Index next_in_piece(Index half) const {
    const Index back = half ^ 1u;
    const Index point = target_[half];
    const Index place = place_[back];
    return around_[place == begin_[point] ? begin_[point + 1] - 1 : place - 1];
  }

  bool is_before(Index a, Index b) const {
    const glm::dvec2& from = o_.points[origin(a)];
    const auto upper = [&from](const glm::dvec2& to) { return to.y > from.y || (to.y == from.y && to.x > from.x); };
    const glm::dvec2& to_a = o_.points[target_[a]];
    const glm::dvec2& to_b = o_.points[target_[b]];
    if (upper(to_a) != upper(to_b)) return upper(to_a);
    if (const int turn = orientation(from, to_a, to_b); turn != 0) return turn > 0;
    return a < b;
  }

  // Half-edges by the point they leave, anticlockwise.
  void sort_around_points() {
    begin_.assign(o_.size() + 1, 0);
    for (Index half = 0; half < target_.size(); ++half) ++begin_[origin(half) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    around_.resize(target_.size());
    place_.resize(target_.size());
    std::vector<Index> free(begin_.begin(), begin_.end() - 1);
    for (Index half = 0; half < target_.size(); ++half) around_[free[origin(half)]++] = half;
    for (Index point = 0; point < o_.size(); ++point) {
      std::stable_sort(around_.begin() + begin_[point], around_.begin() + begin_[point + 1],
                       [this](Index a, Index b) { return is_before(a, b); });
    }
    for (Index i = 0; i < around_.size(); ++i) place_[around_[i]] = i;
  }

  const Outline& o_;
  std::vector<Index> target_;
  std::vector<Index> begin_;   // per point, into around_
  std::vector<Index> around_;  // half-edges
  std::vector<Index> place_;   // of each half-edge in around_
};

// One monotone piece: points from the lowest to the highest, those of a chain waiting on a stack until they can be
// joined.
class MonotonePiece {
 public:
  MonotonePiece(const Outline& outline, std::span<const Index> piece, std::vector<Index>& triangles)
      : o_(outline), piece_(piece), triangles_(triangles) {}

  // False where the piece does not rise on one side and fall on the other.
  bool cut() {
    if (!merge_chains()) return false;
    stack_ = {rising_[0], rising_[1]};
    for (std::size_t i = 2; i + 1 < rising_.size(); ++i) {
      if (rising_[i].on_right != stack_.back().on_right)
        join_all(rising_[i]);
      else
        join_visible(rising_[i]);
    }
    join_all(rising_.back());
    return true;
  }

 private:
  struct Corner {
    Index point;
    bool on_right;  // of the inside
  };

  Index rank(std::size_t i) const { return o_.rank[piece_[i % piece_.size()]]; }

  bool merge_chains() {
    const std::size_t n = piece_.size();
    if (n < 3) return false;
    std::size_t low = 0;
    for (std::size_t i = 1; i < n; ++i) low = rank(i) < rank(low) ? i : low;
    std::size_t high = low + 1;
    while (high + 1 < low + n && rank(high + 1) > rank(high)) ++high;
    for (std::size_t i = high; i + 1 < low + n; ++i) {
      if (rank(i + 1) > rank(i)) return false;
    }
    // Up on the right, and from the other end of the round up on the left.
    rising_.push_back({piece_[low], true});
    for (std::size_t right = low + 1, left = low + n - 1; right <= high || left > high;) {
      const bool take_right = left <= high || (right <= high && rank(right) < rank(left));
      rising_.push_back({piece_[(take_right ? right++ : left--) % n], take_right});
    }
    return true;
  }

  void add(const Corner& lower, const Corner& upper, const Corner& last, bool on_right) {
    const auto [a, b] = on_right ? std::pair(lower.point, upper.point) : std::pair(upper.point, lower.point);
    triangles_.insert(triangles_.end(), {a, b, last.point});
  }

  // Across: the corner sees everything that waits.
  void join_all(const Corner& corner) {
    const bool on_right = stack_.back().on_right;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) add(stack_[i], stack_[i + 1], corner, on_right);
    stack_ = {stack_.back(), corner};
  }

  // On the same side: the corner sees what the chain does not bend away from.
  void join_visible(const Corner& corner) {
    while (stack_.size() > 1) {
      const Corner& lower = stack_[stack_.size() - 2];
      const Corner& upper = stack_.back();
      const int turn = o_.turn(lower.point, upper.point, corner.point);
      if (corner.on_right ? turn <= 0 : turn >= 0) break;
      add(lower, upper, corner, corner.on_right);
      stack_.pop_back();
    }
    stack_.push_back(corner);
  }

  const Outline& o_;
  std::span<const Index> piece_;
  std::vector<Index>& triangles_;
  std::vector<Corner> rising_;
  std::vector<Corner> stack_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> cut_monotone(const std::vector<glm::dvec2>& points) {
  if (points.size() < 3) return std::vector<Index>{};
  const Outline outline = in_order(points);
  Sweep sweep(outline);
  if (!sweep.run()) return std::nullopt;
  for (const Diagonal& diagonal : sweep.diagonals) {
    if (points[diagonal.a] == points[diagonal.b]) return std::nullopt;
  }
  std::vector<Index> triangles;
  triangles.reserve(3 * (points.size() - 2));
  const Pieces pieces(outline, sweep.diagonals);
  const bool whole =
      pieces.for_each([&](const std::vector<Index>& piece) { return MonotonePiece(outline, piece, triangles).cut(); });
  if (!whole || triangles.size() != 3 * (points.size() - 2)) return std::nullopt;
  return triangles;
}

}  // namespace throng::detail::import
