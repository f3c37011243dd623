// SPDX-License-Identifier: Apache-2.0
#pragma once
// Animations become clips.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

Result<void> convert_clips(Conversion& conversion);

}  // namespace throng::detail::gltf
