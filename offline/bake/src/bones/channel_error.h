// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far points are from where the source has them while the links of a skeleton move as they are told: quickly, for
// the search for steps and frames. What that finds is measured in full, and in double, afterwards.
//
// A point is fixed to its links, in the source as in the bake. So its error is what the difference of two matrices, of
// the link as told and as in the source, makes of it. The difference is taken in double and is small; from there on
// floats are exact enough. Four looks are taken at a time.

#include <functional>
#include <span>

#include "bones/clip_trial.h"
#include "throng/math/simd/double4.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::bake {

BoneSample composed(const BoneSample& outer, const BoneSample& inner);

// A moment that is looked at.
struct ChannelLook {
  std::uint32_t frame = 0;
  double blend = 0.0;
};

class ChannelError {
 public:
  // model_from_link of all links in the source, at a look; valid until the next call.
  using LinksAt = std::function<std::span<const BoneSample>(const ChannelLook& look)>;

  // `points`: of the model, by which errors are seen. `links_at` is called for one look after the other.
  ChannelError(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan,
               std::span<const ChannelLook> looks, const LinksAt& links_at);

  // What a look takes, for each link that carries points.
  static constexpr std::uint64_t kBytesALook = 12 * sizeof(double);
  // The same for each point of a model that does what no link can.
  static constexpr std::uint64_t kBytesALeftOver = sizeof(glm::vec3);

  // About what it holds.
  std::uint64_t bytes() const { return sizeof(Matrix) * truth_.size() + sizeof(glm::vec3) * left_overs_.size(); }

  std::size_t point_count() const { return points_.size(); }
  // Calls use(link) of each link that carries a point.
  template <class Use>
  void for_each_link(std::size_t point, const Use& use) const {
    for (const Influence& influence : influences_of(point)) use(carriers_[influence.carrier]);
  }
  // Calls use(link, place, weight) for every point and link at a look: where in the model that link has it.
  template <class Use>
  void for_each_place(std::size_t look, const Use& use) const {
    for (const Influence& influence : influences_) {
      const glm::vec4& p = influence.point;
      if (p.w <= 0.0f) continue;
      const auto weight = static_cast<double>(p.w);
      use(carriers_[influence.carrier], moved(look, influence) / weight, weight);
    }
  }

  // Two frames of links (parent_from_link), and the looks on the way from the one to the other.
  struct Interval {
    std::span<const BoneSample> from, to;
    std::uint32_t first_frame = 0;  // of the clip: where `from` is
    std::uint32_t length = 1;       // frames to `to`
    std::size_t first_look = 0;
    std::size_t end_look = 0;
  };

  // Where the links of one interval are; kept from one call to the next for its memory alone.
  struct Scratch {
    struct Link;
    std::vector<Link> models;
    std::vector<std::array<simd::Float4, 12>> off;  // by carrier: as told, less as in the source
    Scratch();
    ~Scratch();
  };

  // The largest squared distance of any point at any of the looks; gives up where it is above `enough`. `worst`: of
  // every point the largest so far; none: nobody asks.
  float largest(const Interval& interval, float enough, Scratch& scratch, std::span<float> worst = {}) const;

 private:
  // A point as one of its links has it, times its weight; w: the weight.
  struct Influence {
    std::uint32_t carrier = 0;
    glm::vec4 point{0.0f};
  };
  struct Point {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  // Three rows of linear part and offset.
  using Matrix = std::array<double, 12>;

  std::span<const Influence> influences_of(std::size_t point) const {
    return std::span(influences_).subspan(points_[point].first, points_[point].count);
  }
  void fix_points(const Skeleton& skeleton, const ComparedPoints& points);
  glm::dvec3 moved(std::size_t look, const Influence& influence) const;
  void find_left_overs(const BoneBakeInputs& bake, const ComparedPoints& points, const ClipPlan& plan);
  void pose(const Interval& interval, const std::array<std::size_t, 4>& looks, Scratch& scratch) const;
  simd::Float4 errors_of(std::size_t point, const std::array<std::size_t, 4>& looks, const Scratch& scratch) const;

  const Skeleton& skeleton_;
  std::span<const ChannelLook> looks_;
  std::vector<std::uint32_t> carriers_;  // links that points are fixed to
  std::vector<Influence> influences_;
  std::vector<Point> points_;
  std::vector<Matrix> truth_;          // model_from_link in the source, by look and carrier
  std::vector<glm::vec3> left_overs_;  // by look and point: what the source does that no link can; mostly none
};

}  // namespace throng::detail::bake
