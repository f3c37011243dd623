// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves of files since 7000: times, values, and for runs of keys alike flags and four numbers.

#include "fbx/animation/takes.h"
#include "fbx/animation/tangents.h"

namespace throng::detail::fbx {

// Nothing where the curve's arrays do not fit together.
Result<std::optional<KeyCurve>> read_curve(const Element& curve, CurveReading& reading);

// Drops keys that are not after the one before, and those that are no finite numbers.
Result<KeyCurve> checked_curve(const std::vector<FileKey>& keys, CurveReading& reading);

}  // namespace throng::detail::fbx
