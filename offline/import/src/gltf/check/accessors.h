// SPDX-License-Identifier: Apache-2.0
#pragma once
// Buffer views lie inside their buffers, accessors inside their views, aligned, with values that are what they declare.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_accessors(const Document& document, Mender& mender);

// Their values: finite, and spanning what they declare as their bounds.
Result<void> check_accessor_data(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
