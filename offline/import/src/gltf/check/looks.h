// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules for cameras, and for how images are declared. No crowd needs either, so what is wrong is left out where they
// are read, with a note; only strict readers refuse it.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_cameras(const Document& document, Mender& mender);
Result<void> check_images(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
