// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules for animations: samplers with the right formats and counts, times that increase, rotations of unit length.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_animations(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
