// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the bytes of buffers come from: the BIN chunk, a data URI, or a file beside this one.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> load_buffers(Document& document, Mender& mender);

// The bytes of a buffer view, or why there are none.
Result<SharedBytes> view_bytes(const Document& document, std::size_t view);

}  // namespace throng::detail::gltf
