// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which point of a surface is nearest to a point. The tree is made once, in one pose; its boxes are then fitted to any
// other pose of the same triangles.

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "throng/math/simd/float4.h"

namespace throng::detail::bake {

using namespace simd;

// The point of a triangle that is nearest to another: what each corner counts for, and how far it is.
struct NearestPoint {
  std::uint32_t triangle = 0;
  std::array<float, 3> weights{};
  float squared = 0.0f;
};

// A point of a surface, between the corners of a triangle: the same one in every pose.
struct SurfacePoint {
  std::array<std::uint32_t, 3> corners{};
  std::array<float, 3> weights{};
};

inline float dot3(Float4 a, Float4 b) {
  const Float4 product = a * b;
  return product[0] + product[1] + product[2];
}

// Four triangles, or one in four poses.
struct Triangles4 {
  Vectors4 a, b, c;
};

// The nearest point of each: what its second and third corner count for, and how far it is.
struct NearestPoints4 {
  Float4 b_weight, c_weight, squared;
};

inline Float4 part_of(Float4 part, Float4 whole) {
  const Float4 share = part / whole;
  const Float4 clamped = share < 0.0f ? splat(0.0f) : share > 1.0f ? splat(1.0f) : share;
  return whole > 0.0f ? clamped : splat(0.0f);
}

// The nearest points of triangles; of one without an area any point that it has. Which of a triangle's corners, sides
// or its inside is nearest follows from where the point lies beside each; see Ericson, Real-Time Collision Detection,
// 5.1.5. All cases are computed, and the first that holds is taken. What is asked of every triangle that is met is
// inlined: most callers want the distance alone.
[[gnu::always_inline]] inline NearestPoints4 nearest_of_triangles(const Triangles4& t, const Vectors4& point) {
  const Float4 zero = splat(0.0f), one = splat(1.0f);
  const Vectors4 ab = t.b - t.a, ac = t.c - t.a;
  const Vectors4 ap = point - t.a, bp = point - t.b, cp = point - t.c;
  const Float4 d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  const Float4 va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  const auto at_a = (d1 <= 0.0f) & (d2 <= 0.0f);
  const auto at_b = (d3 >= 0.0f) & (d4 <= d3);
  const auto on_ab = (vc <= 0.0f) & (d1 >= 0.0f) & (d3 <= 0.0f);
  const auto at_c = (d6 >= 0.0f) & (d5 <= d6);
  const auto on_ac = (vb <= 0.0f) & (d2 >= 0.0f) & (d6 <= 0.0f);
  const auto on_bc = (va <= 0.0f) & (d4 >= d3) & (d5 >= d6);
  const Float4 sum = va + vb + vc;
  const Float4 along = on_ac ? d2 : d4 - d3, whole = on_ac ? d2 - d6 : (d4 - d3) + (d5 - d6);
  const Float4 b_part = part_of(on_ab ? d1 : vb, on_ab ? d1 - d3 : sum);
  const auto on_side = on_ac | on_bc;
  const Float4 c_part = part_of(on_side ? along : vc, on_side ? whole : sum);
  const Float4 wb = at_a ? zero : at_b ? one : on_ab ? b_part : (at_c | on_ac) ? zero : on_bc ? one - c_part : b_part;
  const Float4 wc = (at_a | at_b | on_ab) ? zero : at_c ? one : c_part;
  const Float4 wa = one - wb - wc;
  const Vectors4 way = t.a * wa + t.b * wb + t.c * wc - point;
  return {wb, wc, dot(way, way)};
}

class TriangleTree {
 public:
  struct Box {
    Float4 min, max;
  };
  // What the tree is in one pose.
  struct Fitted {
    std::vector<Box> boxes;
    std::vector<Triangles4> leaves;

    bool empty() const { return boxes.empty(); }
    void clear() {
      boxes.clear();
      leaves.clear();
    }
  };

  // Three indices a triangle, at least one triangle.
  TriangleTree(std::span<const Float4> positions, std::span<const std::uint32_t> indices);

  std::span<const std::uint32_t> indices() const { return indices_; }

  void fit(std::span<const Float4> positions, Fitted& out) const;

  // The nearest point of the surface that is nearer than √within, or one of that distance where none is. The search
  // stops at any point within √enough.
  NearestPoint nearest(const Fitted& pose, Float4 point, float within, float enough = 0.0f) const;
  SurfacePoint point_of(const NearestPoint& nearest) const {
    const std::uint32_t* corners = &indices_[3 * std::size_t{nearest.triangle}];
    return {{corners[0], corners[1], corners[2]}, nearest.weights};
  }

 private:
  struct Node {
    std::uint32_t first = 0;  // triangle of a leaf; of an inner node, its second child: the first follows the node
    std::uint32_t count = 0;  // of a leaf's triangles; 0: an inner node
    std::uint32_t leaf = 0;   // number of a leaf
  };
  std::uint32_t build(std::span<const Float4> centres, std::uint32_t first, std::uint32_t end);

  std::vector<std::uint32_t> indices_;  // as they were given
  std::vector<std::uint32_t> order_;    // of the triangles in the leaves
  std::vector<Node> nodes_;
  std::uint32_t leaf_count_ = 0;
};

}  // namespace throng::detail::bake
