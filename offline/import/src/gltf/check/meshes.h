// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules for meshes: which attributes, in what formats, of equal length, with values that make sense.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_meshes(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
