// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules for nodes, scenes and skins.

#include "gltf/file/document.h"

namespace throng::detail::gltf {

Result<void> check_hierarchy(const Document& document, Mender& mender);
Result<void> check_nodes(const Document& document, Mender& mender);
Result<void> check_skins(const Document& document, Mender& mender);

}  // namespace throng::detail::gltf
