// SPDX-License-Identifier: Apache-2.0
#pragma once
// Boxes and matrices four at a time, as the bounds of near characters are found for every image. Pure.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/character/near_mesh.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::renderer {

// How far single precision may be off, of the size of the numbers: products of a few matrices.
inline constexpr float kRounding = 1e-5f;

// A box grown by what was rounded on the way, where it was found and where vertices are skinned. `largest`: number that
// was summed.
inline FloatBox widened(FloatBox box, float largest) {
  if (box.empty()) return box;
  const glm::vec3 rim(kRounding * (largest + glm::length(box.max - box.min)));
  return {box.min - rim, box.max + rim};
}

inline float largest_in(const FloatBox& box) {
  const glm::vec3 most = glm::max(glm::abs(box.min), glm::abs(box.max));
  return std::max({most.x, most.y, most.z});
}

inline float least_of(simd::Float4 v) { return std::min(std::min(v[0], v[1]), std::min(v[2], v[3])); }
inline float most_of(simd::Float4 v) { return std::max(std::max(v[0], v[1]), std::max(v[2], v[3])); }

// Grows by four boxes at a time.
struct BoxOfLanes {
  static constexpr float kFar = std::numeric_limits<float>::infinity();

  simd::Float4 low[3] = {simd::splat(kFar), simd::splat(kFar), simd::splat(kFar)};
  simd::Float4 high[3] = {simd::splat(-kFar), simd::splat(-kFar), simd::splat(-kFar)};

  void add(std::size_t axis, simd::Float4 centre, simd::Float4 around) {
    low[axis] = simd::least(low[axis], centre - around);
    high[axis] = simd::greatest(high[axis], centre + around);
  }

  FloatBox all() const {
    return {{least_of(low[0]), least_of(low[1]), least_of(low[2])},
            {most_of(high[0]), most_of(high[1]), most_of(high[2])}};
  }
};

// The matrices of four bones, entry by entry.
struct FourMatrices {
  simd::Float4 rows[3][4];

  FourMatrices(std::span<const Affine> of, const std::array<std::uint32_t, 4>& which) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t i = 0; i < 4; ++i) rows[row][i] = simd::load(&of[which[i]].rows[row].x);
      simd::transpose(rows[row][0], rows[row][1], rows[row][2], rows[row][3]);
    }
  }

  simd::Vectors4 column(std::size_t i) const { return {rows[0][i], rows[1][i], rows[2][i]}; }
  simd::Float4 dot_of_columns(std::size_t a, std::size_t b) const { return simd::dot(column(a), column(b)); }
};

// Boxes in groups of four, the last again where there are fewer, and what morph targets make of them.
class BoxLanes {
 public:
  struct Corners {
    simd::Vectors4 min, max;
  };

  BoxLanes() = default;
  template <class Box>
  explicit BoxLanes(std::span<const Box> boxes) {
    for (std::size_t first = 0; first < boxes.size(); first += 4) {
      groups_.push_back({.first_reach = static_cast<std::uint32_t>(reaches_.size())});
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const Box& from = boxes[std::min(first + lane, boxes.size() - 1)];
        add(from.box, lane, groups_.back().corners);
        for (const MorphReach& reach : from.reaches) add(reach.offsets, lane, reach_of(reach.target).offsets);
      }
      groups_.back().reach_count = static_cast<std::uint32_t>(reaches_.size()) - groups_.back().first_reach;
    }
  }

  std::size_t group_count() const { return groups_.size(); }

  // The corners of a group's boxes. `weights`: of the piece's morph targets.
  Corners corners(std::size_t group, std::span<const float> weights) const {
    const Group& of = groups_[group];
    Corners at = load(of.corners);
    for (const Reach& reach : std::span(reaches_).subspan(of.first_reach, of.reach_count)) {
      const simd::Float4 weight = simd::splat(weights[reach.target]);
      const Corners offsets = load(reach.offsets);
      // A weight below 0 takes its least for its most.
      const simd::Vectors4 one = offsets.min * weight, other = offsets.max * weight;
      at.min = at.min +
               simd::Vectors4{simd::least(one.x, other.x), simd::least(one.y, other.y), simd::least(one.z, other.z)};
      at.max = at.max + simd::Vectors4{simd::greatest(one.x, other.x), simd::greatest(one.y, other.y),
                                       simd::greatest(one.z, other.z)};
    }
    return at;
  }

 private:
  struct Boxes {
    float min[3][4]{};  // by axis
    float max[3][4]{};
  };
  // What a target does; nothing to boxes it does not reach.
  struct Reach {
    std::uint32_t target = 0;
    Boxes offsets = {};
  };
  struct Group {
    Boxes corners = {};
    std::uint32_t first_reach = 0;
    std::uint32_t reach_count = 0;
  };

  static void add(const FloatBox& box, std::size_t lane, Boxes& to) {
    for (glm::length_t axis = 0; axis < 3; ++axis) {
      to.min[axis][lane] += box.min[axis];
      to.max[axis][lane] += box.max[axis];
    }
  }
  static Corners load(const Boxes& boxes) { return {simd::load_vectors(boxes.min), simd::load_vectors(boxes.max)}; }

  // The last group's, made where there is none.
  Reach& reach_of(std::uint32_t target) {
    for (std::size_t i = groups_.back().first_reach; i < reaches_.size(); ++i)
      if (reaches_[i].target == target) return reaches_[i];
    return reaches_.emplace_back(Reach{.target = target});
  }

  std::vector<Group> groups_;
  std::vector<Reach> reaches_;
};

}  // namespace throng::detail::renderer
