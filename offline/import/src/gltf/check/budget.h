// SPDX-License-Identifier: Apache-2.0
#pragma once
// A small file can name the same data many times over. What reading it would cost is bounded before any of it is read.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

// What lies on disk vouches for as much memory (NamedFiles::bytes); what one buffer view after the other repeats does
// not.
Result<void> check_budget(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
