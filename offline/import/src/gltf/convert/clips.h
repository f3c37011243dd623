// SPDX-License-Identifier: Apache-2.0
#pragma once
// Animations become clips.

#include "gltf/convert/convert.h"
#include "throng/base/progress.h"

namespace throng::detail::gltf {

// `progress`: of this alone, as "read".
Result<void> convert_clips(Conversion& conversion, const Progress& progress);

}  // namespace throng::detail::gltf
