// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of vertices that are NaN or infinite.

#include "mender.h"
#include "throng/model/model.h"

namespace throng::detail::import {

// A vertex whose place is none loses its triangles; a normal is computed from the triangles around it, a tangent
// from the texture coordinates; texture coordinates are zero, colours white, morph offsets none. Each is counted.
void mend_numbers(Mesh& mesh, Mender& mender);

}  // namespace throng::detail::import
