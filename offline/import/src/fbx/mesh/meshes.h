// SPDX-License-Identifier: Apache-2.0
#pragma once
// Polygons become triangles, one mesh for each material, with a vertex wherever corners differ; bindings and shapes
// come along by control point.

#include "fbx/convert.h"
#include "throng/base/progress.h"

namespace throng::detail::fbx {

// `progress`: of this alone, as "read".
Result<void> convert_meshes(Conversion& conversion, const Progress& progress);

}  // namespace throng::detail::fbx
