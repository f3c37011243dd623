// SPDX-License-Identifier: Apache-2.0
#pragma once
// Primitives on nodes become meshes, bound to the bones that move them.

#include "gltf/convert/convert.h"
#include "throng/base/progress.h"

namespace throng::detail::gltf {

// `progress`: of this alone, as "read".
Result<void> convert_meshes(Conversion& conversion, const Progress& progress);

}  // namespace throng::detail::gltf
