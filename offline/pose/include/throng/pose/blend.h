// SPDX-License-Identifier: Apache-2.0
#pragma once
// Between two poses of one model.

#include "throng/pose/pose.h"

namespace throng {

// `from` at weight 0, `to` at weight 1. Rotations take the short arc (normalised linear interpolation). Both poses must
// be of the same model.
Pose blend_poses(const Pose& from, const Pose& to, double weight);

}  // namespace throng
