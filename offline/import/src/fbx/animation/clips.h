// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes become clips.

#include "fbx/convert.h"
#include "throng/base/progress.h"

namespace throng::detail::fbx {

// `progress`: of this alone, as "read".
Result<void> convert_clips(Conversion& conversion, const Progress& progress);

}  // namespace throng::detail::fbx
