// SPDX-License-Identifier: Apache-2.0
#pragma once
// A procession that goes on for ever: down one side of its way towards the camera, round, and up the other side. Who
// walks in it is moved as far as its clip walks, so that feet do not slide; all of one lane are equally fast, so that
// nobody walks through another. Where everybody is depends on the time alone.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "crowd/measures.h"
#include "throng/base/result.h"
#include "throng/playback/crowd.h"

// A closed path over the ground, measured from where it begins. Any units.
class ClosedPath {
 public:
  ClosedPath() = default;
  // Through these points in turn, and back to the first.
  explicit ClosedPath(std::span<const glm::dvec2> points);

  double length() const { return length_; }
  // After going so far, any number of times around.
  glm::dvec2 at(double gone) const;
  // Where it leads there, unit length: without corners.
  glm::dvec2 ahead(double gone) const;

 private:
  std::vector<glm::dvec2> points_;  // evenly apart
  double step_ = 1.0;
  double length_ = 0.0;
};

// A lane of the procession: at `aside` to the left of the way's middle, as one looks from the camera, it comes from
// z = −far to z = near, turns about and goes back on the other side. Metres.
ClosedPath lane_path(double aside, double near, double far);

// Where lanes are, one for each of those who take so much room as they walk: from the way's middle, in metres.
struct Lane {
  double aside = 0.0;
  double spacing = 0.0;  // between two of it, at least
};
struct LanePlan {
  std::vector<Lane> lanes;
  double half = 0.0;  // of the whole way

  // How many walk on a metre of the way, on both sides of it, when they are not in a hurry.
  double walkers_a_metre() const;
};
LanePlan plan_lanes(std::span<const Footprint> walkers);

// Where those of a lane begin, no two closer than `spacing`, loosely. Fewer where there is no room for all.
std::vector<double> lane_places(double length, std::uint32_t count, double spacing, std::uint64_t seed);

// One who walks.
struct Walker {
  std::uint32_t lane = 0;
  double start = 0.0;   // of the lane: where it is at 0 s
  Gait gait;            // of what it plays
  double unit = 1.0;    // of the model, in the lane's metres: its scale in it
  double cycles = 0.0;  // that its clip has gone through at 0 s
  double rate = 0.0;    // cycles a second
};

// Where it is after so many seconds, in the lane's metres.
double gone_after(const Walker& walker, double seconds);

class Procession {
 public:
  Procession() = default;
  // `metre`: of the world, in its units.
  Procession(std::vector<ClosedPath> lanes, double metre) : lanes_(std::move(lanes)), metre_(metre) {}

  bool empty() const { return walkers_.empty(); }
  std::size_t size() const { return walkers_.size(); }

  // Where one is then; `from` says its height and scale.
  throng::Placement place_of(const Walker& walker, double seconds, const throng::Placement& from) const;

  void add(const Walker& walker, throng::InstanceId id, const throng::Placement& placement);

  // Moves all of them to where they are then.
  throng::Result<void> move_to(double seconds, throng::Crowd& crowd) const;

 private:
  struct Placed {
    Walker walker;
    throng::InstanceId id;
    throng::Placement placement;
  };

  std::vector<ClosedPath> lanes_;
  double metre_ = 1.0;
  std::vector<Placed> walkers_;
};
