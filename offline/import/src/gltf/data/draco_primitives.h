// SPDX-License-Identifier: Apache-2.0
#pragma once
// Primitives compressed with KHR_draco_mesh_compression: their accessors get the decoded values, and from then on are
// as if the file had them. Counts that a stream contradicts are mended: the stream is right. A primitive that cannot be
// decoded falls back on its accessors' own data, if all have some.

#include "gltf/file/document.h"
#include "import_budget.h"

namespace throng::detail::gltf {

Result<void> decompress_primitives(Document& document, import::Budget& budget, Mender& mender);

}  // namespace throng::detail::gltf
