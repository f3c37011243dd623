// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the compiler of keys asks of one curve: whether it ever moves, which times must be keys because a straight line
// may not cross them, and into how many pieces a stretch of it must be cut to be straight within a tolerance.

#include <cstdint>
#include <vector>

#include "throng/pose/pose.h"

namespace throng::detail::motion {

// A time of the clip at which there is a key. `before`: it holds what comes just before a jump at that time.
struct Knot {
  double time = 0.0;
  bool before = false;
  bool operator==(const Knot&) const = default;
  auto operator<=>(const Knot&) const = default;
};

// Finest cut of what lies between two keys of the file, and of a whole clip: a file of wild tangents must not fill
// memory.
inline constexpr std::uint32_t kMostPieces = 1024;
inline constexpr std::size_t kMostCuts = 65536;

// Weights of morph targets are single numbers: the first component of a curve of vectors.
Curve<glm::vec3> weight_curve(const Curve<float>& weights, std::size_t targets, std::size_t target);

bool is_still(const Curve<glm::vec3>& curve, double tolerance);
bool is_still(const Curve<glm::quat>& curve, double tolerance);

// Adds the knots of a curve that lie after `start` and before `end`, and the jumps up to `end` itself.
template <class T>
void add_knots(const Curve<T>& curve, double start, double end, std::vector<Knot>& knots) {
  for (const double time : curve.times) {
    if (time <= start || time > end) continue;
    if (curve.interpolation == Interpolation::step) knots.push_back({time, true});
    knots.push_back({time, false});
  }
}

glm::dvec3 value_at(const Curve<glm::vec3>& curve, const Knot& knot);
glm::dquat value_at(const Curve<glm::quat>& curve, const Knot& knot);

// Pieces of equal time that the stretch between two knots, with no key of this curve inside, must be cut into.
std::uint32_t pieces(const Curve<glm::vec3>& curve, const Knot& from, const Knot& to, double tolerance);
std::uint32_t pieces(const Curve<glm::quat>& curve, const Knot& from, const Knot& to, double tolerance);
// The same of a straight line and of an even rotation from one value to another.
std::uint32_t pieces_between(const glm::dvec3& from, const glm::dvec3& to, double tolerance);
std::uint32_t pieces_between(const glm::dquat& from, const glm::dquat& to, double tolerance);

}  // namespace throng::detail::motion
