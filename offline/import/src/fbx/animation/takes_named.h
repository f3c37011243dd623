// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes of files before 7000: models by name, channels in channels, and keys as one list of times, values, letters and
// numbers.

#include "fbx/animation/takes.h"

namespace throng::detail::fbx {

Result<std::vector<Take>> read_named_takes(CurveReading& reading);

}  // namespace throng::detail::fbx
