// SPDX-License-Identifier: Apache-2.0
#pragma once
// Primitives on nodes become meshes, bound to the bones that move them.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

Result<void> convert_meshes(Conversion& conversion);

}  // namespace throng::detail::gltf
