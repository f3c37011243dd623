// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules of glTF 2.0 that go beyond the shape of the JSON.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

// Every one that this importer relies on; the first broken one is the error.
Result<void> check_document(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
