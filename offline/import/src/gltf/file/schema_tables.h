// SPDX-License-Identifier: Apache-2.0
#pragma once
// What glTF 2.0 says about each of its objects.

#include "gltf/file/schema.h"

namespace throng::detail::gltf {

// The document itself; everything else hangs on it.
Schema root_schema();

}  // namespace throng::detail::gltf
