// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which ground motion leads from how a bone stood first to how it stands now. Root motion is told by it alone, offline
// (throng/clip_facts/root_motion.h) and where an animator takes it out of a pose.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/glm.hpp>
#include <span>

#include "throng/math/ground.h"
#include "throng/math/singular_values.h"

namespace throng {

// Samples of the path of a clip that is so many seconds long, at even steps, both ends among them: 60 a second. As many
// for a length that was rounded to a float.
inline std::size_t path_samples(double length) {
  constexpr double kRate = 60.0;
  constexpr double kRounding = 1e-3;  // of a step
  constexpr double kMost = 65535.0;   // steps
  return 1 + static_cast<std::size_t>(std::clamp(std::ceil(length * kRate - kRounding), 1.0, kMost));
}

// How a bone stood first, in model space.
struct GroundStart {
  glm::dvec3 place{0.0};
  glm::dmat3 bone_from_start{1.0};  // its axes, inverted; none where it had no size: it is rotated as the model is
};
// The start for a bone in this pose.
inline GroundStart ground_start(const glm::dmat4& model_from_bone) {
  GroundStart start{.place = glm::dvec3(model_from_bone[3])};
  const glm::dmat3 axes(model_from_bone);
  if (well_conditioned(axes)) start.bone_from_start = glm::inverse(axes);
  return start;
}

// The angle of the rotation about +Y that is nearest to the matrix in the sense of least squares: no axis of a bone
// needs to be level. 0 where it is upside down.
inline double yaw_of(const glm::dmat3& m) {
  constexpr double kUpsideDown = 1e-12;  // below it the rotation about +Y is rounding
  const double sine = m[2][0] - m[0][2];
  const double cosine = m[0][0] + m[2][2];
  const double size = glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]);
  return sine * sine + cosine * cosine > kUpsideDown * size ? std::atan2(sine, cosine) : 0.0;
}

// The motion of the ground under the bone since then; the yaw is in [−π, π].
inline GroundMotion ground_since(const GroundStart& start, const glm::dmat4& model_from_bone) {
  const double yaw = yaw_of(glm::dmat3(model_from_bone) * start.bone_from_start);
  glm::dvec3 translation = glm::dvec3(model_from_bone[3]) - rotated(start.place, yaw);
  translation.y = 0.0;
  return {translation, yaw};
}

// Whether the path of a bone that stood at `place` first is rounding, or the noise of compressed curves: less than a
// hundred thousandth of the model's size, and of a radian. Where the bone goes counts, not the origin: a rotation alone
// moves that if the bone is elsewhere.
inline bool stays(std::span<const GroundMotion> path, const glm::dvec3& place, double size) {
  constexpr double kStays = 1e-5;
  return std::all_of(path.begin(), path.end(), [&](const GroundMotion& ground) {
    return glm::distance(transform_point(ground, place), place) <= kStays * size && std::abs(ground.yaw) <= kStays;
  });
}

}  // namespace throng
