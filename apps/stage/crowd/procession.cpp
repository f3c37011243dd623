// SPDX-License-Identifier: Apache-2.0
#include "crowd/procession.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crowd/scatter.h"
#include "crowd/square.h"
#include "throng/base/try.h"

using namespace throng;

namespace {

constexpr double kStep = 0.2;           // metres between the points of a path
constexpr double kMostSteps = 65536.0;  // of a path: a file may say of what it holds that it is of any size
constexpr double kElbows = 0.16;        // metres between two lanes
constexpr double kNarrowest = 0.9;      // metres: of a lane
constexpr double kMiddle = 0.3;         // metres between those who come and those who go
constexpr double kBehind = 0.3;         // metres between one and the next

std::size_t steps_of(double length) {
  const double steps = std::ceil(length / kStep);
  return steps >= 1.0 ? static_cast<std::size_t>(std::min(steps, kMostSteps)) : 1;
}

}  // namespace

ClosedPath::ClosedPath(std::span<const glm::dvec2> points) {
  for (std::size_t i = 0; i < points.size(); ++i) length_ += glm::distance(points[i], points[(i + 1) % points.size()]);
  const auto count = std::max<std::size_t>(steps_of(length_), 3);
  step_ = length_ / static_cast<double>(count);
  double before = 0.0;  // to the point i
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec2 from = points[i], to = points[(i + 1) % points.size()];
    const double distance = glm::distance(from, to);
    while (points_.size() < count && static_cast<double>(points_.size()) * step_ < before + distance)
      points_.push_back(glm::mix(from, to, (static_cast<double>(points_.size()) * step_ - before) / distance));
    before += distance;
  }
}

glm::dvec2 ClosedPath::at(double gone) const {
  if (points_.empty()) return glm::dvec2(0.0);
  const double place = (gone / length_ - std::floor(gone / length_)) * static_cast<double>(points_.size());
  const auto first = std::min(static_cast<std::size_t>(place), points_.size() - 1);
  return glm::mix(points_[first], points_[(first + 1) % points_.size()], place - static_cast<double>(first));
}

glm::dvec2 ClosedPath::ahead(double gone) const {
  const glm::dvec2 way = at(gone + kStep) - at(gone - kStep);
  const double length = glm::length(way);
  return length > 1e-9 ? way / length : glm::dvec2(0.0, 1.0);
}

ClosedPath lane_path(double aside, double near, double far) {
  const auto beside = [](double z, double by) {
    const glm::dvec2 along = glm::normalize(glm::dvec2(way_at(z + 0.1) - way_at(z - 0.1), 0.2));
    return glm::dvec2(way_at(z), z) + by * glm::dvec2(-along.y, along.x);
  };
  const std::size_t count = steps_of(near + far);
  std::vector<glm::dvec2> points;
  for (std::size_t i = 0; i <= count; ++i)
    points.push_back(beside(glm::mix(-far, near, static_cast<double>(i) / static_cast<double>(count)), aside));
  const auto turn = [&](double z) {
    const glm::dvec2 middle(way_at(z), z);
    const glm::dvec2 from = points.back() - middle;
    const std::size_t steps = steps_of(std::numbers::pi * aside);
    for (std::size_t i = 1; i < steps; ++i) {
      const double angle = std::numbers::pi * static_cast<double>(i) / static_cast<double>(steps);
      const double c = std::cos(angle), s = std::sin(angle);
      points.push_back(middle + glm::dvec2(c * from.x + s * from.y, c * from.y - s * from.x));
    }
  };
  turn(near);
  for (std::size_t i = 0; i <= count; ++i)
    points.push_back(beside(glm::mix(near, -far, static_cast<double>(i) / static_cast<double>(count)), -aside));
  turn(-far);
  return ClosedPath(points);
}

LanePlan plan_lanes(std::span<const Footprint> walkers) {
  LanePlan plan;
  double edge = 0.5 * kMiddle;
  for (const Footprint& walker : walkers) {
    const double wide = std::max(2.0 * std::max(-walker.least.x, walker.most.x) + kElbows, kNarrowest);
    const double length = walker.size().y;
    // Long ones turn about in a wider circle.
    if (plan.lanes.empty()) edge = std::max(edge, 0.55 * length - 0.5 * wide);
    plan.lanes.push_back({edge + 0.5 * wide, length + kBehind});
    edge += wide;
  }
  plan.half = edge;
  return plan;
}

double LanePlan::walkers_a_metre() const {
  constexpr double kLoosely = 1.3;  // times as far apart as they must be
  double walkers = 0.0;
  for (const Lane& lane : lanes) walkers += 2.0 / (kLoosely * lane.spacing);
  return walkers;
}

std::vector<double> lane_places(double length, std::uint32_t count, double spacing, std::uint64_t seed) {
  count = std::min(count, static_cast<std::uint32_t>(std::max(std::floor(length / spacing), 0.0)));
  // What is left over is shared out by chance.
  Scatter scatter(seed);
  std::vector<double> gaps;
  double sum = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) {
    gaps.push_back(0.25 + scatter.unit());
    sum += gaps.back();
  }
  const double spare = length - spacing * count;
  std::vector<double> places;
  double at = 0.0;
  for (const double gap : gaps) {
    places.push_back(at);
    at += spacing + spare * gap / sum;
  }
  return places;
}

double gone_after(const Walker& walker, double seconds) {
  const double way =
      walker.gait.way_after(walker.cycles + walker.rate * seconds) - walker.gait.way_after(walker.cycles);
  return walker.start + walker.unit * way;
}

Placement Procession::place_of(const Walker& walker, double seconds, const Placement& from) const {
  const ClosedPath& lane = lanes_[walker.lane];
  const double gone = gone_after(walker, seconds);
  const glm::dvec2 at = lane.at(gone) * metre_;
  const glm::dvec2 ahead = lane.ahead(gone);
  Placement placement = from;
  placement.position.x = static_cast<float>(at.x);
  placement.position.z = static_cast<float>(at.y);
  const double yaw = std::atan2(ahead.x, ahead.y) - std::atan2(walker.gait.ahead.x, walker.gait.ahead.y);
  placement.rotation =
      glm::quat(static_cast<float>(std::cos(yaw / 2.0)), 0.0f, static_cast<float>(std::sin(yaw / 2.0)), 0.0f);
  return placement;
}

void Procession::add(const Walker& walker, InstanceId id, const Placement& placement) {
  walkers_.push_back({walker, id, placement});
}

Result<void> Procession::move_to(double seconds, Crowd& crowd) const {
  for (const Placed& placed : walkers_)
    THRONG_CHECK(crowd.place(placed.id, place_of(placed.walker, seconds, placed.placement)));
  return {};
}
