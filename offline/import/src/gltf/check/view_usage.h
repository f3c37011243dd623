// SPDX-License-Identifier: Apache-2.0
#pragma once
// One buffer view, one use: vertices or indices or neither, and a stride only where it belongs.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_view_usage(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
