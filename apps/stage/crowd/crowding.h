// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who stands where, so that nobody stands inside another: boxes on the ground.

#include <cstdint>
#include <glm/glm.hpp>
#include <unordered_map>
#include <vector>

#include "crowd/measures.h"

// A box by its middle and the direction it points in: x and z.
struct GroundBox {
  glm::dvec2 centre{0.0};
  glm::dvec2 ahead{0.0, 1.0};
  glm::dvec2 half{0.0};  // to its left, ahead

  glm::dvec2 left() const { return {ahead.y, -ahead.x}; }
  // Half of how long it is along an axis.
  double along(const glm::dvec2& axis) const;
  // `left` and `ahead`: −1 or 1.
  glm::dvec2 corner(double to_left, double to_front) const {
    return centre + left() * (to_left * half.x) + ahead * (to_front * half.y);
  }
};

GroundBox ground_box(const glm::dvec2& at, const glm::dvec2& facing, const Footprint& footprint);

// Whether some axis of theirs keeps at least `gap` between them.
bool apart(const GroundBox& a, const GroundBox& b, double gap = 0.0);

class Crowding {
 public:
  // `room`: about how far apart they will stand; for speed.
  explicit Crowding(double room) : side_(room) {}

  // Whether nobody is closer to `at` than `least`, and none of their boxes touches this one.
  bool has_room(const glm::dvec2& at, const GroundBox& box, double least) const;
  void take(const glm::dvec2& at, const GroundBox& box);

 private:
  struct Taken {
    glm::dvec2 at{0.0};
    GroundBox box;
  };

  double side_;            // of the plane's cells
  double farthest_ = 0.0;  // that any of them reaches from where it stands
  std::unordered_map<std::uint64_t, std::vector<Taken>> cells_;
};
