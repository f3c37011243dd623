// SPDX-License-Identifier: Apache-2.0
#pragma once
// What GlobalSettings says about axes and time.

#include "fbx/file/document.h"

namespace throng::detail::fbx {

// model_from_file of the axes that the file declares.
Result<glm::dmat3> read_axes(const Document& document);

double read_frame_rate(const Document& document);

}  // namespace throng::detail::fbx
