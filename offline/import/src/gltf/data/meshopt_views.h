// SPDX-License-Identifier: Apache-2.0
#pragma once
// Buffer views compressed with EXT_meshopt_compression or KHR_meshopt_compression: each is taken apart once, and from
// then on its bytes are as if the file had them. A view that cannot be decoded falls back on its own buffer, if that
// one has bytes.

#include "gltf/file/document.h"
#include "import_budget.h"

namespace throng::detail::gltf {

Result<void> decompress_views(Document& document, import::Budget& budget);

}  // namespace throng::detail::gltf
