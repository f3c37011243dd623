// SPDX-License-Identifier: Apache-2.0
#pragma once
// Materials, and the images of their colours and normal maps.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

// Broken images leave the colour alone, with a note.
Result<void> convert_materials(Conversion& conversion);

}  // namespace throng::detail::gltf
