// SPDX-License-Identifier: Apache-2.0
#include "levels/level_meter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "mesh/hub.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kBaseChoices = 16;  // poses of which the largest is where points are spread
constexpr double kPoints = 5000.0;        // about, on the full surface, besides its vertices
constexpr double kLevelPoints = 16000.0;  // about, on a coarser one, whose triangles span what lies between
constexpr double kMostSteps = 24.0;       // along the side of one triangle
constexpr double kThin = 0.05;            // of a triangle's length: points along the sides of narrower ones will do
// Where more triangles meet, their boxes all overlap, and every search is through all of them.
constexpr std::uint32_t kMostAround = 1024;
constexpr std::size_t kCornersAtHub = 6000;  // with more of them in a mesh that has a hub, not every vertex is a point
constexpr double kLeastError = 1e-5;      // of the surface's size: what is nearer is told as that, and not searched for
constexpr std::size_t kPosesAtOnce = 32;  // one piece of work
constexpr float kRounding =
    1.1f;  // more than rounding makes of a squared distance, so that what was found when is no matter
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
std::vector<Float4> largest_pose(const LevelPoses& poses, const Triangles& full) {
  std::vector<Float4> best;
  double most = -1.0;
  const std::size_t step = 1 + (poses.count() - 1) / kBaseChoices;
  for (std::size_t pose = 0; pose < poses.count(); pose += step) {
    std::vector<Float4> positions = poses.placed(pose);
    const double area = area_of(positions, full);
    if (area > most) best = std::move(positions);
    most = std::max(most, area);
  }
  return best;
}

// A grid of points inside a triangle and on its sides, its corners left out.
void spread_inside(const std::uint32_t* corners, int steps, std::vector<SurfacePoint>& points) {
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const int k = steps - i - j;
      if (i == steps || j == steps || k == steps) continue;
      const auto share = [&](int n) { return static_cast<float>(n) / static_cast<float>(steps); };
      points.push_back({{corners[0], corners[1], corners[2]}, {share(i), share(j), share(k)}});
    }
  }
}

// Points along the sides of a triangle that is all but a line.
void spread_along(const std::uint32_t* corners, int steps, std::vector<SurfacePoint>& points) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
    for (int i = 1; i < steps; ++i) {
      const float share = static_cast<float>(i) / static_cast<float>(steps);
      points.push_back({{a, b, b}, {1.0f - share, share, 0.0f}});
    }
  }
}

}  // namespace

// What a coarser surface is compared with, and by which points.
struct LevelMeter::Surface {
  TriangleTree tree;
  std::vector<SurfacePoint> points;        // on it
  std::vector<SurfacePoint> near_on_full;  // for each of them, near it in the base pose
  std::vector<SurfacePoint> near_on_this;  // for each of the full surface's points
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

// What one piece of work keeps from pose to pose.
struct LevelMeter::Workspace {
  // Of one surface: for each point where it was found last, on the other surface.
  struct Found {
    std::vector<SurfacePoint> on_full;
    std::vector<SurfacePoint> on_this;
  };

  explicit Workspace(const std::vector<Surface>& surfaces) {
    for (const Surface& surface : surfaces) found.push_back({surface.near_on_full, surface.near_on_this});
  }

  std::vector<Float4> positions;
  std::vector<Float4> full_points;
  std::vector<TriangleTree::Box> full_boxes;
  std::vector<TriangleTree::Box> boxes;
  std::vector<Found> found;
};

LevelMeter::LevelMeter(const LevelPoses& poses, const Triangles& full, Executor& executor)
    : poses_(poses), executor_(executor), base_(largest_pose(poses, full)), full_(base_, full) {
  full_.fit(base_, full_boxes_);
  points_ = spread(full, kPoints);
}

std::vector<SurfacePoint> LevelMeter::spread(const Triangles& triangles, double count) const {
  std::vector<SurfacePoint> points;
  std::vector<std::uint8_t> taken(base_.size(), 0);
  const bool hub = has_hub(triangles, base_.size(), kMostAround);
  const std::size_t every = hub ? 1 + triangles.size() / kCornersAtHub : 1;
  std::size_t met = 0;  // vertices
  const double along = hub ? 1.0 : std::max(2.0, 6.0 * count / static_cast<double>(triangles.size()));
  const double step = std::sqrt(2.0 * area_of(base_, triangles) / count);
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const std::uint32_t* corners = &triangles[i];
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      longest = std::max(longest, length_between(base_[corners[k]], base_[corners[(k + 1) % 3]]));
      if (taken[corners[k]] == 0 && met++ % every == 0) {
        points.push_back({{corners[k], corners[k], corners[k]}, {1.0f, 0.0f, 0.0f}});
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
  return points;
}

namespace {

std::vector<SurfacePoint> neighbours(const std::vector<SurfacePoint>& points, const TriangleTree& tree,
                                     std::span<const TriangleTree::Box> boxes, std::span<const Float4> positions) {
  std::vector<SurfacePoint> out;
  out.reserve(points.size());
  for (const SurfacePoint& point : points) {
    // The neighbour of the point before is not far from this one's, as a rule.
    const Float4 here = at(point, positions);
    const float within = out.empty() ? kFar : squared(at(out.back(), positions) - here);
    const NearestPoint found = tree.nearest(positions, boxes, here, within);
    const bool nearer = out.empty() || found.squared < within;
    out.push_back(nearer ? tree.point_of(found) : out.back());
  }
  return out;
}

}  // namespace

LevelMeter::Surface LevelMeter::make_surface(const Triangles& triangles) const {
  Surface out{TriangleTree(base_, triangles), spread(triangles, kLevelPoints), {}, {}};
  std::vector<TriangleTree::Box> boxes;
  out.tree.fit(base_, boxes);
  out.near_on_full = neighbours(out.points, full_, full_boxes_, base_);
  out.near_on_this = neighbours(points_, out.tree, boxes, base_);
  return out;
}

// A point's distance from any point of the other surface is no less than its distance from that surface. Those tried
// are its neighbour in the base pose and what was found for it in an earlier one; only where both are further away than
// the farthest so far is it searched for.
void LevelMeter::compare(const std::vector<Surface>& surfaces, std::size_t pose, std::vector<Worst>& worst,
                         Workspace& work) const {
  poses_.place(pose, work.positions);
  const std::span<const Float4> positions = work.positions;
  work.full_boxes.clear();
  work.full_points.resize(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) work.full_points[i] = at(points_[i], positions);
  const auto look = [&](Float4 point, const SurfacePoint& neighbour, SurfacePoint& found, const TriangleTree& tree,
                        std::vector<TriangleTree::Box>& boxes, float& most) {
    const float to_neighbour = squared(at(neighbour, positions) - point);
    if (to_neighbour <= most) return;
    const float bound = std::min(to_neighbour, kRounding * squared(at(found, positions) - point));
    if (bound <= most) return;
    if (boxes.empty()) tree.fit(positions, boxes);
    const NearestPoint nearest = tree.nearest(positions, boxes, point, bound, most);
    most = std::max(most, nearest.squared);
    if (nearest.squared < bound) found = tree.point_of(nearest);
  };
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    Workspace::Found& found = work.found[s];
    float most = worst[s].get();
    work.boxes.clear();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      look(work.full_points[i], surface.near_on_this[i], found.on_this[i], surface.tree, work.boxes, most);
    }
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
      look(at(surface.points[i], positions), surface.near_on_full[i], found.on_full[i], full_, work.full_boxes, most);
    }
    worst[s].raise(most);
  }
}

std::vector<double> LevelMeter::errors(const std::vector<Triangles>& surfaces, const Done& done) const {
  std::vector<std::size_t> all(poses_.count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return errors(surfaces, all, done);
}

std::vector<double> LevelMeter::errors(const std::vector<Triangles>& surfaces, const std::vector<std::size_t>& poses,
                                       const Done& done) const {
  std::vector<std::unique_ptr<Surface>> made(surfaces.size());
  executor_.run(surfaces.size(),
                [&](std::size_t i) { made[i] = std::make_unique<Surface>(make_surface(surfaces[i])); });
  std::vector<Surface> prepared;
  for (auto& surface : made) prepared.push_back(std::move(*surface));
  const double least =
      kLeastError * std::sqrt(area_of(base_, Triangles(full_.indices().begin(), full_.indices().end())));
  std::vector<Worst> worst;
  for (std::size_t i = 0; i < surfaces.size(); ++i) worst.emplace_back(static_cast<float>(least * least));
  // Each piece of work takes poses from all over the clips, so that the largest distances are met early.
  const std::size_t jobs = (poses.size() + kPosesAtOnce - 1) / kPosesAtOnce;
  executor_.run(jobs, [&](std::size_t job) {
    Workspace work(prepared);
    for (std::size_t i = job; i < poses.size(); i += jobs) {
      compare(prepared, poses[i], worst, work);
      if (done) done(1.0 / static_cast<double>(poses.size()));
    }
  });
  std::vector<double> out;
  for (const Worst& w : worst) out.push_back(std::sqrt(static_cast<double>(w.get())));
  return out;
}

}  // namespace throng::detail::bake
