// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes become clips.

#include "fbx/convert.h"

namespace throng::detail::fbx {

Result<void> convert_clips(Conversion& conversion);

}  // namespace throng::detail::fbx
