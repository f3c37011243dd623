// SPDX-License-Identifier: Apache-2.0
#include "levels/triangle_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace throng::detail::bake {
namespace {

constexpr std::uint32_t kLeafTriangles = 4;
constexpr std::size_t kMostDepth = 64;  // halves of at most 2³² triangles, and one waiting at each

float outside(const TriangleTree::Box& box, Float4 point) {
  const Float4 zero = splat(0.0f);
  const Float4 away = greatest(greatest(box.min - point, point - box.max), zero);
  return dot3(away, away);
}

void grow(TriangleTree::Box& box, const TriangleTree::Box& other) {
  box.min = least(box.min, other.min);
  box.max = greatest(box.max, other.max);
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Float4> positions, std::span<const std::uint32_t> indices)
    : indices_(indices.begin(), indices.end()), order_(indices.size() / 3) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::vector<Float4> centres(order_.size());
  for (std::size_t t = 0; t < centres.size(); ++t) {
    centres[t] = positions[indices[3 * t]] + positions[indices[3 * t + 1]] + positions[indices[3 * t + 2]];
  }
  nodes_.reserve(2 * order_.size());
  build(centres, 0, static_cast<std::uint32_t>(order_.size()));
}

// Half of the triangles on either side, along the axis on which they are spread most.
std::uint32_t TriangleTree::build(std::span<const Float4> centres, std::uint32_t first, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({first, end - first, 0});
  if (end - first <= kLeafTriangles) {
    nodes_[index].leaf = leaf_count_++;
    return index;
  }
  Box box{centres[order_[first]], centres[order_[first]]};
  for (std::uint32_t i = first; i < end; ++i) grow(box, {centres[order_[i]], centres[order_[i]]});
  const Float4 size = box.max - box.min;
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const std::uint32_t middle = first + (end - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     return centres[a][axis] != centres[b][axis] ? centres[a][axis] < centres[b][axis] : a < b;
                   });
  build(centres, first, middle);
  const std::uint32_t second = build(centres, middle, end);
  nodes_[index] = {second, 0, 0};
  return index;
}

void TriangleTree::fit(std::span<const Float4> positions, Fitted& out) const {
  out.boxes.resize(nodes_.size());
  out.leaves.resize(leaf_count_);
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    const Node& node = nodes_[n];
    if (node.count == 0) {
      out.boxes[n] = out.boxes[n + 1];
      grow(out.boxes[n], out.boxes[node.first]);
      continue;
    }
    // Where a leaf has fewer than four triangles the last is repeated.
    std::array<std::array<Float4, kLeafTriangles>, 3> corners;
    for (std::uint32_t i = 0; i < kLeafTriangles; ++i) {
      const std::uint32_t* of = &indices_[3 * std::size_t{order_[node.first + std::min(i, node.count - 1)]}];
      for (std::size_t k = 0; k < 3; ++k) corners[k][i] = positions[of[k]];
    }
    Box box{corners[0][0], corners[0][0]};
    for (const auto& of_triangles : corners) {
      for (const Float4 corner : of_triangles) grow(box, {corner, corner});
    }
    out.boxes[n] = box;
    out.leaves[node.leaf] = {vectors_of(corners[0].data()), vectors_of(corners[1].data()),
                             vectors_of(corners[2].data())};
  }
}

NearestPoint TriangleTree::nearest(const Fitted& pose, Float4 point, float within, float enough) const {
  const Vectors4 points{splat(point[0]), splat(point[1]), splat(point[2])};
  NearestPoint best{0, {1.0f, 0.0f, 0.0f}, within};
  struct Waiting {
    std::uint32_t node;
    float outside;
  };
  std::array<Waiting, kMostDepth> waiting;
  std::size_t count = 0;
  waiting[count++] = {0, outside(pose.boxes[0], point)};
  while (count > 0 && best.squared > enough) {
    const Waiting at = waiting[--count];
    if (at.outside >= best.squared) continue;
    const Node& node = nodes_[at.node];
    if (node.count == 0) {
      Waiting near{at.node + 1, outside(pose.boxes[at.node + 1], point)};
      Waiting far{node.first, outside(pose.boxes[node.first], point)};
      if (far.outside < near.outside) std::swap(near, far);
      waiting[count++] = far;
      waiting[count++] = near;
      continue;
    }
    const NearestPoints4 found = nearest_of_triangles(pose.leaves[node.leaf], points);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (!(found.squared[i] < best.squared)) continue;
      const float wb = found.b_weight[i], wc = found.c_weight[i];
      best = {order_[node.first + i], {1.0f - wb - wc, wb, wc}, found.squared[i]};
    }
  }
  return best;
}

}  // namespace throng::detail::bake
