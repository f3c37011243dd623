// SPDX-License-Identifier: Apache-2.0
#include "levels/level_meter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "levels/pose_block.h"
#include "mesh/hub.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kBaseChoices = 16;  // poses of which the largest is where points are spread
constexpr double kPoints = 16000.0;       // about, on the full surface, besides its vertices
constexpr double kLevelPoints = 16000.0;  // about, on a coarser one, whose triangles span what lies between
constexpr double kFewestPoints = 3000.0;  // about, on either surface of a small cluster
constexpr double kMostSteps = 24.0;       // along the side of one triangle
constexpr double kThin = 0.05;            // of a triangle's length: points along the sides of narrower ones will do
// Where more triangles meet, their boxes all overlap, and every search is through all of them.
constexpr std::uint32_t kMostAround = 1024;
constexpr std::size_t kCornersAtHub = 6000;  // with more of them in a mesh that has a hub, not every vertex is a point
constexpr double kNearEnough = 0.25;         // of a squared distance that is known: what is nearer is not told
constexpr double kKnown = 1.0 - 1e-6;        // of what is known, so that floats lose nothing of what is further
constexpr double kLeastError = 1e-5;      // of the surface's size: what is nearer is told as that, and not searched for
constexpr std::size_t kPosesAtOnce = 32;  // one piece of work
constexpr double kPointsAtOnce = 3e5;     // about, of all surfaces that are held at once
constexpr float kOneScale = 2e-3f;        // of a length: what differs by less is not scaled otherwise
// Share of the coordinates: more than the rounding of a distance, so that results do not depend on order.
constexpr float kRounding = 1e-5f;
constexpr std::uint32_t kNoBinding = std::numeric_limits<std::uint32_t>::max();
constexpr float kFar = std::numeric_limits<float>::infinity();

Float4 at(const SurfacePoint& point, std::span<const Float4> positions) {
  return positions[point.corners[0]] * point.weights[0] + positions[point.corners[1]] * point.weights[1] +
         positions[point.corners[2]] * point.weights[2];
}

float squared(Float4 v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

double length_between(Float4 a, Float4 b) { return std::sqrt(static_cast<double>(squared(b - a))); }

double area_of(Float4 a, Float4 b, Float4 c) {
  return 0.5 * static_cast<double>(glm::length(glm::cross(three(b - a), three(c - a))));
}

double area_of(std::span<const Float4> positions, const Triangles& triangles) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    sum += area_of(positions[triangles[i]], positions[triangles[i + 1]], positions[triangles[i + 2]]);
  }
  return sum;
}

// Where most of the surface can be seen: parts that a pose has shrunk to a point cannot be spread over.
std::size_t largest_pose(const LevelPoses& poses, const std::vector<Triangles>& full) {
  std::size_t best = 0;
  double most = -1.0;
  const std::size_t step = 1 + (poses.count() - 1) / kBaseChoices;
  for (std::size_t pose = 0; pose < poses.count(); pose += step) {
    const std::vector<Float4> positions = poses.placed(pose);
    double area = 0.0;
    for (const Triangles& cluster : full) area += area_of(positions, cluster);
    if (area > most) best = pose;
    most = std::max(most, area);
  }
  return best;
}

using Corners = std::array<std::uint32_t, 3>;

// Starts with the lowest corner and keeps the direction of turning.
Corners from_lowest(const std::uint32_t* corners) {
  const auto first = static_cast<std::size_t>(std::min_element(corners, corners + 3) - corners);
  return {corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]};
}

// The triangles that are not among `others`: what both surfaces have is nowhere apart, in any pose.
Triangles without(const Triangles& triangles, const Triangles& others) {
  std::vector<Corners> same;
  for (std::size_t i = 0; i + 2 < others.size(); i += 3) same.push_back(from_lowest(&others[i]));
  std::ranges::sort(same);
  Triangles left;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    if (std::ranges::binary_search(same, from_lowest(&triangles[i]))) continue;
    left.insert(left.end(), &triangles[i], &triangles[i] + 3);
  }
  return left;
}

// One of every so many points that are offered.
class PointList {
 public:
  explicit PointList(std::size_t every) : every_(every) {}

  // Calls make() for the point if it is one of them.
  template <class Make>
  void offer(const Make& make) {
    if (offered_++ % every_ == 0) points_.push_back(make());
  }
  std::vector<SurfacePoint> take() && { return std::move(points_); }

 private:
  std::size_t every_;
  std::size_t offered_ = 0;
  std::vector<SurfacePoint> points_;
};

// A grid of points inside a triangle and on its sides, its corners left out.
void spread_inside(const std::uint32_t* corners, int steps, PointList& points) {
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const int k = steps - i - j;
      if (i == steps || j == steps || k == steps) continue;
      const auto share = [&](int n) { return static_cast<float>(n) / static_cast<float>(steps); };
      points.offer([&] { return SurfacePoint{{corners[0], corners[1], corners[2]}, {share(i), share(j), share(k)}}; });
    }
  }
}

// Points along the sides of a triangle that is all but a line.
void spread_along(const std::uint32_t* corners, int steps, PointList& points) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
    for (int i = 1; i < steps; ++i) {
      const float share = static_cast<float>(i) / static_cast<float>(steps);
      points.offer([&] { return SurfacePoint{{a, b, b}, {1.0f - share, share, 0.0f}}; });
    }
  }
}

}  // namespace

// A cluster of the full mesh.
struct LevelMeter::Full {
  double area = 0.0;
  TriangleTree tree;
  TriangleTree::Fitted at_base;  // in the base pose
};

// Points that, with their neighbours, one binding alone moves: how far they are from them changes in no pose by more
// than that binding stretches. The farthest come first.
struct LevelMeter::Run {
  std::uint32_t binding = 0;
  std::size_t end = 0;           // the last ends with the points; points before the first are of none
  std::vector<float> squared{};  // of each point, to its neighbour in the base pose
};

// What a coarser surface is compared with, and by which points.
struct LevelMeter::Surface {
  std::size_t cluster = 0;
  TriangleTree tree;
  std::vector<SurfacePoint> full_points;   // on the full surface
  std::vector<SurfacePoint> points;        // on this one
  std::vector<SurfacePoint> near_on_this;  // for each of the first, near it in the base pose
  std::vector<SurfacePoint> near_on_full;  // for each of the second
  std::vector<Run> full_runs, runs;        // of the points
};

// The largest squared distance so far, over all threads.
class LevelMeter::Worst {
 public:
  float get() const { return squared_->load(std::memory_order_relaxed); }
  explicit Worst(float least) : squared_(std::make_unique<std::atomic<float>>(least)) {}
  void raise(float squared) {
    float before = get();
    while (before < squared && !squared_->compare_exchange_weak(before, squared)) {
    }
  }

 private:
  std::unique_ptr<std::atomic<float>> squared_;
};

// Of one tree in the poses of a block, those that were asked for.
using Fits = std::array<TriangleTree::Fitted, PoseBlock::kPoses>;

// What one piece of work keeps from block to block.
struct LevelMeter::Workspace {
  // For each point of a surface, where on the other surface its nearest point was found last.
  struct Found {
    std::vector<SurfacePoint> on_full;
    std::vector<SurfacePoint> on_this;
  };

  Workspace(const std::vector<Surface>& surfaces, std::size_t clusters) : full_fits(clusters) {
    for (const Surface& surface : surfaces) found.push_back({surface.near_on_full, surface.near_on_this});
  }

  PoseBlock block;
  std::vector<Fits> full_fits;  // per cluster
  Fits fits;
  std::vector<Found> found;
};

LevelMeter::LevelMeter(const LevelPoses& poses, const std::vector<Triangles>& full, std::size_t clusters,
                       Executor& executor)
    : poses_(poses), executor_(executor), base_pose_(poses.skinned(largest_pose(poses, full))) {
  poses.place(base_pose_, base_);
  for (std::uint32_t v = 0; v < base_.size(); ++v) only_binding_.push_back(poses.only_binding(v).value_or(kNoBinding));
  for (const Triangles& cluster : full) {
    Full made{area_of(base_, cluster), TriangleTree(base_, cluster), {}};
    made.tree.fit(base_, made.at_base);
    if (full_.size() < clusters) area_ += made.area;
    full_.push_back(std::make_shared<const Full>(std::move(made)));
  }
  find_poses(full);
}

namespace {

// Four points of a body, as far from one another as they can be had: how far apart they are in a pose says how the pose
// scales it.
class Frame {
 public:
  Frame(std::span<const Float4> positions, const Triangles& body) : corners_{body[0], body[0], body[0], body[0]} {
    for (std::size_t i = 1; i < corners_.size(); ++i) {
      float most = -1.0f;
      for (const std::uint32_t v : body) {
        float least = kFar;
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, squared(positions[v] - positions[corners_[j]]));
        if (least > most) corners_[i] = v;
        most = std::max(most, least);
      }
    }
  }

  using Lengths = std::array<float, 6>;
  Lengths lengths(std::span<const Float4> positions) const {
    Lengths out{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        out[next++] = std::sqrt(squared(positions[corners_[i]] - positions[corners_[j]]));
      }
    }
    return out;
  }

 private:
  std::array<std::uint32_t, 4> corners_;
};

bool same_scale(const Frame::Lengths& a, const Frame::Lengths& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kOneScale * std::max(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

void LevelMeter::find_poses(const std::vector<Triangles>& full) {
  std::vector<std::optional<Frame>> frames;
  for (const Triangles& body : full) {
    const bool stiff = !body.empty() && poses_.stiff(body);
    frames.push_back(stiff ? std::optional<Frame>(std::in_place, base_, body) : std::nullopt);
    looked_at_.emplace_back(poses_.count(), stiff ? std::uint8_t{0} : std::uint8_t{1});
  }
  if (std::ranges::none_of(frames, [](const auto& frame) { return frame.has_value(); })) return;
  std::vector<std::vector<Frame::Lengths>> met(full.size());
  std::vector<Float4> positions;
  for (std::size_t pose = 0; pose < poses_.count(); ++pose) {
    poses_.place(pose, positions);
    for (std::size_t c = 0; c < full.size(); ++c) {
      if (!frames[c]) continue;
      const Frame::Lengths here = frames[c]->lengths(positions);
      if (std::ranges::any_of(met[c], [&](const auto& lengths) { return same_scale(lengths, here); })) continue;
      met[c].push_back(here);
      looked_at_[c][pose] = 1;
    }
  }
}

LevelMeter::Look LevelMeter::closely() const {
  Look look;
  look.poses.resize(poses_.count());
  std::iota(look.poses.begin(), look.poses.end(), std::size_t{0});
  return look;
}

std::vector<SurfacePoint> LevelMeter::spread(const Triangles& triangles, double count, std::size_t every) const {
  PointList points(every);
  std::vector<std::uint8_t> taken(base_.size(), 0);
  const bool hub = has_hub(triangles, base_.size(), kMostAround);
  const std::size_t corner_every = hub ? 1 + triangles.size() / kCornersAtHub : 1;
  std::size_t met = 0;  // vertices
  const double along =
      hub ? 1.0 : std::max(2.0, 6.0 * count / static_cast<double>(std::max<std::size_t>(1, triangles.size())));
  const double step = std::sqrt(2.0 * area_of(base_, triangles) / count);
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const std::uint32_t* corners = &triangles[i];
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      longest = std::max(longest, length_between(base_[corners[k]], base_[corners[(k + 1) % 3]]));
      if (taken[corners[k]] == 0 && met++ % corner_every == 0) {
        points.offer([&] { return SurfacePoint{{corners[k], corners[k], corners[k]}, {1.0f, 0.0f, 0.0f}}; });
      }
      taken[corners[k]] = 1;
    }
    const auto steps_of = [&](double length) {
      return step > 0.0 ? static_cast<int>(std::clamp(std::ceil(length / step), 1.0, kMostSteps)) : 1;
    };
    const double width =
        longest > 0.0 ? 2.0 * area_of(base_[corners[0]], base_[corners[1]], base_[corners[2]]) / longest : 0.0;
    if (width > kThin * longest) {
      spread_inside(corners, steps_of(longest), points);
    } else {
      spread_along(corners, std::min(steps_of(longest), static_cast<int>(along)), points);
    }
  }
  return std::move(points).take();
}

namespace {

// For each point one that is near it on the surface of a tree: the nearest, or any within √enough.
std::vector<SurfacePoint> neighbours(const std::vector<SurfacePoint>& points, const TriangleTree& tree,
                                     const TriangleTree::Fitted& fitted, std::span<const Float4> positions,
                                     float enough) {
  std::vector<SurfacePoint> out;
  out.reserve(points.size());
  for (const SurfacePoint& point : points) {
    // The neighbour of the point before is not far from this one's, as a rule.
    const Float4 here = at(point, positions);
    const float within = out.empty() ? kFar : squared(at(out.back(), positions) - here);
    const NearestPoint found = tree.nearest(fitted, here, within, enough);
    const bool nearer = out.empty() || found.squared < within;
    out.push_back(nearer ? tree.point_of(found) : out.back());
  }
  return out;
}

}  // namespace

LevelMeter::Surface LevelMeter::make_surface(const CoarserSurface& coarser, std::size_t every) const {
  const Full& full = *full_[coarser.cluster];
  const double share = area_ > 0.0 ? full.area / area_ : 1.0;
  const Triangles whole(full.tree.indices().begin(), full.tree.indices().end());
  Surface out{coarser.cluster, TriangleTree(base_, coarser.triangles), {}, {}, {}, {}, {}, {}};
  TriangleTree::Fitted at_base;
  out.tree.fit(base_, at_base);
  out.full_points = spread(without(whole, coarser.triangles), std::max(kFewestPoints, kPoints * share), every);
  // Other poses take neighbours a little apart.
  const double not_told = std::max(coarser.at_least, kLeastError * std::sqrt(area_));
  const auto enough = static_cast<float>(kNearEnough * not_told * not_told);
  out.near_on_this = neighbours(out.full_points, out.tree, at_base, base_, enough);
  out.points = spread(without(coarser.triangles, whole), std::max(kFewestPoints, kLevelPoints * share), every);
  out.near_on_full = neighbours(out.points, full.tree, full.at_base, base_, enough);
  if (every > 1) return out;  // which is for fewer poses: to sort them would take as long
  sort_by_binding(out.full_points, out.near_on_this, out.full_runs);
  sort_by_binding(out.points, out.near_on_full, out.runs);
  return out;
}

void LevelMeter::sort_by_binding(std::vector<SurfacePoint>& points, std::vector<SurfacePoint>& neighbours,
                                 std::vector<Run>& runs) const {
  const auto binding_of = [&](std::size_t i) {
    const std::uint32_t first = only_binding_[points[i].corners[0]];
    const auto same = [&](std::uint32_t corner) { return only_binding_[corner] == first; };
    const bool all = std::ranges::all_of(points[i].corners, same) && std::ranges::all_of(neighbours[i].corners, same);
    return all ? first : kNoBinding;
  };
  struct Place {
    std::uint32_t binding = 0;
    float squared = 0.0f;
    std::size_t number = 0;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < points.size(); ++i)
    places.push_back({binding_of(i), squared(at(neighbours[i], base_) - at(points[i], base_)), i});
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    if (a.binding != b.binding) return a.binding > b.binding;  // those of none first
    if (a.binding != kNoBinding && a.squared != b.squared) return a.squared > b.squared;
    return a.number < b.number;
  });
  std::vector<SurfacePoint> sorted, near;
  for (const Place& place : places) {
    if (place.binding != kNoBinding) {
      if (runs.empty() || runs.back().binding != place.binding) runs.push_back({place.binding, 0, {}});
      runs.back().squared.push_back(place.squared);
    }
    sorted.push_back(points[place.number]);
    near.push_back(neighbours[place.number]);
    if (!runs.empty()) runs.back().end = sorted.size();
  }
  points = std::move(sorted);
  neighbours = std::move(near);
}

namespace {

float largest_coordinate(std::span<const Float4> positions) {
  Float4 most = splat(0.0f);
  for (const Float4& p : positions) most = greatest(most, absolute(p));
  return std::max({most[0], most[1], most[2]});
}

// The largest squared distance so far.
class Farthest {
 public:
  Farthest(float squared, float rounding) : rounding_(rounding) { set(squared); }

  float squared() const { return squared_; }
  // What another pose, or another order of sums, has no further away than this is no further away than that.
  float surely() const { return surely_; }
  // No less than what has this squared distance there.
  float rounded_up(float squared) const {
    const float root = std::sqrt(squared) + rounding_;
    return root * root;
  }
  void raise(float squared) {
    if (squared > squared_) set(squared);
  }

 private:
  void set(float squared) {
    squared_ = squared;
    const float root = std::max(std::sqrt(squared) - rounding_, 0.0f);
    surely_ = root * root;
  }

  float rounding_;
  float squared_ = 0.0f;
  float surely_ = 0.0f;
};

}  // namespace

// A point's distance from any point of the other surface is no less than its distance from that surface. Those tried
// are its neighbour in the base pose and what was found for it in an earlier one; only where both are further away than
// the farthest so far is it searched for. Where one binding moves a point and its neighbour, the base pose tells how
// far they can be apart.
void LevelMeter::compare(const std::vector<Surface>& surfaces, std::span<const std::size_t> poses,
                         std::vector<Worst>& worst, Workspace& work) const {
  std::vector<SkinPose> skinned;
  for (const std::size_t pose : poses) skinned.push_back(poses_.skinned(pose));
  work.block.place(poses_, skinned);
  std::vector<float> stretches = poses_.stretches(base_pose_, skinned[0]);
  float reach = largest_coordinate(base_);
  for (std::size_t lane = 0; lane < poses.size(); ++lane) {
    reach = std::max(reach, largest_coordinate(work.block.positions(lane)));
    const std::vector<float> here = poses_.stretches(base_pose_, skinned[lane]);
    std::ranges::transform(stretches, here, stretches.begin(), [](float a, float b) { return std::max(a, b); });
  }
  const auto forget = [](Fits& fits) { std::ranges::for_each(fits, [](auto& of_pose) { of_pose.clear(); }); };
  std::ranges::for_each(work.full_fits, forget);
  const auto look = [&](std::size_t lane, float to_neighbour, const SurfacePoint& from, SurfacePoint& found,
                        const TriangleTree& tree, TriangleTree::Fitted& fitted, Farthest& most) {
    const std::span<const Float4> positions = work.block.positions(lane);
    const Float4 point = at(from, positions);
    const float to_found = squared(at(found, positions) - point);
    if (to_found <= most.surely()) return;
    const float bound = std::min(to_neighbour, most.rounded_up(to_found));
    if (fitted.empty()) tree.fit(positions, fitted);
    const NearestPoint nearest = tree.nearest(fitted, point, bound, most.squared());
    most.raise(nearest.squared);
    if (nearest.squared < bound) found = tree.point_of(nearest);
  };
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    PoseBlock::Lanes limits;
    limits.fill(kFar);
    Farthest most(worst[s].get(), kRounding * reach);
    for (std::size_t lane = 0; lane < poses.size(); ++lane)
      if (looked_at_[surface.cluster][poses[lane]] != 0) limits[lane] = most.squared();
    if (std::ranges::all_of(limits, [](float limit) { return limit == kFar; })) continue;
    const auto look_at_all = [&](const std::vector<SurfacePoint>& points, const std::vector<SurfacePoint>& neighbours,
                                 const std::vector<Run>& runs, std::vector<SurfacePoint>& found,
                                 const TriangleTree& tree, Fits& fits) {
      PoseBlock::Lanes to_neighbour{};
      const auto look_at = [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first;; ++i) {
          i = work.block.first_apart(points, neighbours, i, end, limits, to_neighbour);
          if (i == end) return;
          for (std::size_t lane = 0; lane < poses.size(); ++lane) {
            if (to_neighbour[lane] > limits[lane] && to_neighbour[lane] > most.squared())
              look(lane, to_neighbour[lane], points[i], found[i], tree, fits[lane], most);
          }
          for (float& limit : limits)
            if (limit != kFar) limit = most.squared();
        }
      };
      look_at(0, runs.empty() ? points.size() : runs.front().end - runs.front().squared.size());
      for (const Run& run : runs) {
        const float stretch = stretches[run.binding] * stretches[run.binding];
        const auto within =
            std::ranges::find_if(run.squared, [&](float apart) { return apart * stretch <= most.surely(); });
        const std::size_t first = run.end - run.squared.size();
        look_at(first, first + static_cast<std::size_t>(within - run.squared.begin()));
      }
    };
    Workspace::Found& found = work.found[s];
    forget(work.fits);
    look_at_all(surface.full_points, surface.near_on_this, surface.full_runs, found.on_this, surface.tree, work.fits);
    look_at_all(surface.points, surface.near_on_full, surface.runs, found.on_full, full_[surface.cluster]->tree,
                work.full_fits[surface.cluster]);
    worst[s].raise(most.squared());
  }
}

// Measures as many surfaces at a time as there is room for.
std::vector<double> LevelMeter::errors(const std::vector<CoarserSurface>& surfaces, const Look& look,
                                       const Done& done) const {
  const auto points_of = [&](const CoarserSurface& surface) {
    const Full& full = *full_[surface.cluster];
    const double share = area_ > 0.0 ? full.area / area_ : 1.0;
    const double spread = std::max(2.0 * kFewestPoints, (kPoints + kLevelPoints) * share);
    const std::size_t corners = full.tree.indices().size() + surface.triangles.size();
    return (spread + static_cast<double>(corners)) / static_cast<double>(look.every);
  };
  const std::span<const CoarserSurface> all = surfaces;
  std::vector<double> out;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    double points = 0.0;
    while (end < all.size() && (end == first || points + points_of(all[end]) <= kPointsAtOnce)) {
      points += points_of(all[end++]);
    }
    const double share = static_cast<double>(end - first) / static_cast<double>(all.size());
    const std::vector<double> some = errors_of(all.subspan(first, end - first), look, [&](double part) {
      if (done) done(share * part);
    });
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

std::vector<double> LevelMeter::errors_of(std::span<const CoarserSurface> surfaces, const Look& look,
                                          const Done& done) const {
  std::vector<std::unique_ptr<Surface>> made(surfaces.size());
  executor_.run(surfaces.size(),
                [&](std::size_t i) { made[i] = std::make_unique<Surface>(make_surface(surfaces[i], look.every)); });
  std::vector<Surface> prepared;
  for (auto& surface : made) prepared.push_back(std::move(*surface));
  const double least = kLeastError * std::sqrt(area_);
  std::vector<Worst> worst;
  std::vector<float> known;
  for (const CoarserSurface& surface : surfaces) {
    const double from = std::max(least, kKnown * surface.at_least);
    known.push_back(static_cast<float>(from * from));
    worst.emplace_back(known.back());
  }
  // Each piece of work takes poses from all over the clips, so that the largest distances are met early.
  const std::size_t jobs = (look.poses.size() + kPosesAtOnce - 1) / kPosesAtOnce;
  executor_.run(jobs, [&](std::size_t job) {
    Workspace work(prepared, full_.size());
    std::vector<std::size_t> poses;
    for (std::size_t i = job; i < look.poses.size(); i += jobs) {
      poses.push_back(look.poses[i]);
      if (poses.size() < PoseBlock::kPoses && i + jobs < look.poses.size()) continue;
      compare(prepared, poses, worst, work);
      done(static_cast<double>(poses.size()) / static_cast<double>(look.poses.size()));
      poses.clear();
    }
  });
  std::vector<double> out;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const bool told = worst[i].get() > known[i] || surfaces[i].at_least <= least;
    out.push_back(told ? std::sqrt(static_cast<double>(worst[i].get())) : 0.0);
  }
  return out;
}

}  // namespace throng::detail::bake
