// SPDX-License-Identifier: Apache-2.0
#include "crowd/crowding.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double kGap = 0.03;  // metres between two boxes

std::uint64_t key(std::int64_t x, std::int64_t z) {
  return static_cast<std::uint64_t>(x) << 32 ^ (static_cast<std::uint64_t>(z) & 0xFFFFFFFFu);
}

std::int64_t cell_of(double place, double side) { return static_cast<std::int64_t>(std::floor(place / side)); }

double reach_of(const glm::dvec2& at, const GroundBox& box) {
  return glm::length(box.half) + glm::distance(box.centre, at);
}

}  // namespace

double GroundBox::along(const glm::dvec2& axis) const {
  return half.x * std::abs(glm::dot(left(), axis)) + half.y * std::abs(glm::dot(ahead, axis));
}

GroundBox ground_box(const glm::dvec2& at, const glm::dvec2& facing, const Footprint& footprint) {
  GroundBox box{{}, facing, 0.5 * footprint.size()};
  box.centre = at + box.left() * footprint.centre().x + facing * footprint.centre().y;
  return box;
}

bool apart(const GroundBox& a, const GroundBox& b, double gap) {
  for (const glm::dvec2& axis : {a.ahead, a.left(), b.ahead, b.left()})
    if (std::abs(glm::dot(b.centre - a.centre, axis)) >= a.along(axis) + b.along(axis) + gap) return true;
  return false;
}

bool Crowding::has_room(const glm::dvec2& at, const GroundBox& box, double least) const {
  const double search = std::max(least, reach_of(at, box) + farthest_ + kGap);
  const std::int64_t x = cell_of(at.x, side_), z = cell_of(at.y, side_);
  const auto cells = static_cast<std::int64_t>(std::ceil(search / side_));
  for (std::int64_t dz = -cells; dz <= cells; ++dz)
    for (std::int64_t dx = -cells; dx <= cells; ++dx) {
      const auto found = cells_.find(key(x + dx, z + dz));
      if (found == cells_.end()) continue;
      for (const Taken& taken : found->second)
        if (glm::distance(taken.at, at) < least || !apart(taken.box, box, kGap)) return false;
    }
  return true;
}

void Crowding::take(const glm::dvec2& at, const GroundBox& box) {
  farthest_ = std::max(farthest_, reach_of(at, box));
  cells_[key(cell_of(at.x, side_), cell_of(at.y, side_))].push_back({at, box});
}
