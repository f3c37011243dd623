// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a picture is taken from.

#include <glm/glm.hpp>

#include "throng/base/result.h"
#include "throng/math/bounds.h"

namespace throng {

// World space is right-handed with +Y up.
struct Camera {
  glm::dvec3 eye{0.0, 1.6, 6.0};
  glm::dvec3 target{0.0, 1.0, 0.0};
  double vertical_fov_degrees = 32.0;
};

// A camera that sees all of `bounds` in a picture of that aspect (width / height), from `yaw_degrees` around +Y (0:
// from +Z) and `pitch_degrees` above the horizon.
Camera frame_bounds(const Bounds& bounds, double aspect, double yaw_degrees = 28.0, double pitch_degrees = 14.0,
                    double vertical_fov_degrees = 32.0);

// Whether the numbers of a camera can be drawn with.
Result<void> check_camera(const Camera& camera);

}  // namespace throng
