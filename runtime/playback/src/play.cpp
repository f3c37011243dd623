// SPDX-License-Identifier: Apache-2.0
#include "throng/playback/play.h"

#include <cmath>

#include "throng/math/directions.h"

namespace throng {

Result<void> check_placement(const Placement& placement) {
  const glm::vec3& p = placement.position;
  if (!is_finite(p)) {
    return fail("the position is ({}, {}, {}); all three must be finite numbers", p.x, p.y, p.z);
  }
  if (!(placement.scale > 0.0f) || !std::isfinite(placement.scale)) {
    return fail("the scale is {}; it must be more than 0, and finite", placement.scale);
  }
  const glm::dquat q(placement.rotation);
  const double length = glm::length(q);
  if (length > 0.0 && std::isfinite(length)) return {};
  return fail("the rotation is ({}, {}, {}, {}); it must be a quaternion of some length", q.x, q.y, q.z, q.w);
}

}  // namespace throng
