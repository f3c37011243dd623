// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures stay encoded; here they are found, and told apart by their first bytes.

#include "fbx/convert.h"

namespace throng::detail::fbx {

// The first of a texture's videos that has its picture in the file, or none.
const Object* picture_inside(const Document& document, const Object& texture);

// The bytes of the picture that a texture shows: held in the file, or from the model's own folder and below.
Result<ImageSource> load_picture(const Conversion& conversion, const Object& texture);

}  // namespace throng::detail::fbx
