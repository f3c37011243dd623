// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which point of a surface is nearest to a point. The tree is made once, in one pose; its boxes are then fitted to any
// other pose of the same triangles.

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

// The nearest point of a triangle of any shape, also one without an area.
NearestPoint nearest_of_triangle(Float4 a, Float4 b, Float4 c, Float4 point);

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
