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

inline float dot3(Float4 a, Float4 b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline NearestPoint with_weights(Float4 a, Float4 b, Float4 c, Float4 point, float wb, float wc) {
  const float wa = 1.0f - wb - wc;
  const Float4 way = a * wa + b * wb + c * wc - point;
  return {0, {wa, wb, wc}, dot3(way, way)};
}

inline float part_of(float part, float whole) { return whole > 0.0f ? std::clamp(part / whole, 0.0f, 1.0f) : 0.0f; }

// The nearest point of a triangle of any shape, also one without an area. Which of the triangle's corners, sides or its
// inside is nearest follows from where the point lies beside each; see Ericson, Real-Time Collision Detection, 5.1.5.
// What is asked of every triangle that is met is inlined: most callers want the distance alone.
[[gnu::always_inline]] inline NearestPoint nearest_of_triangle(Float4 a, Float4 b, Float4 c, Float4 point) {
  const Float4 ab = b - a, ac = c - a, ap = point - a;
  const float d1 = dot3(ab, ap), d2 = dot3(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f) return with_weights(a, b, c, point, 0.0f, 0.0f);
  const Float4 bp = point - b;
  const float d3 = dot3(ab, bp), d4 = dot3(ac, bp);
  if (d3 >= 0.0f && d4 <= d3) return with_weights(a, b, c, point, 1.0f, 0.0f);
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) return with_weights(a, b, c, point, part_of(d1, d1 - d3), 0.0f);
  const Float4 cp = point - c;
  const float d5 = dot3(ab, cp), d6 = dot3(ac, cp);
  if (d6 >= 0.0f && d5 <= d6) return with_weights(a, b, c, point, 0.0f, 1.0f);
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) return with_weights(a, b, c, point, 0.0f, part_of(d2, d2 - d6));
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0.0f && d4 >= d3 && d5 >= d6) {
    const float along = part_of(d4 - d3, (d4 - d3) + (d5 - d6));
    return with_weights(a, b, c, point, 1.0f - along, along);
  }
  const float sum = va + vb + vc;
  return with_weights(a, b, c, point, part_of(vb, sum), part_of(vc, sum));
}

class TriangleTree {
 public:
  struct Box {
    Float4 min, max;
  };

  // Three indices a triangle, at least one triangle.
  TriangleTree(std::span<const Float4> positions, std::span<const std::uint32_t> indices);

  std::span<const std::uint32_t> indices() const { return indices_; }

  // The boxes of another pose.
  void fit(std::span<const Float4> positions, std::vector<Box>& boxes) const;

  // The nearest point of the surface that is nearer than √within, or one of that distance where none is. The search
  // stops at any point within √enough.
  NearestPoint nearest(std::span<const Float4> positions, std::span<const Box> boxes, Float4 point, float within,
                       float enough = 0.0f) const;
  SurfacePoint point_of(const NearestPoint& nearest) const {
    const std::uint32_t* corners = &indices_[3 * std::size_t{nearest.triangle}];
    return {{corners[0], corners[1], corners[2]}, nearest.weights};
  }

 private:
  struct Node {
    std::uint32_t first = 0;  // triangle of a leaf; of an inner node, its second child: the first follows the node
    std::uint32_t count = 0;  // of a leaf's triangles; 0: an inner node
  };
  std::uint32_t build(std::span<const Float4> centres, std::uint32_t first, std::uint32_t end);

  std::vector<std::uint32_t> indices_;  // as they were given
  std::vector<std::uint32_t> order_;    // of the triangles in the leaves
  std::vector<Node> nodes_;
};

}  // namespace throng::detail::bake
