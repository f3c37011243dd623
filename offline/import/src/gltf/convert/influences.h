// SPDX-License-Identifier: Apache-2.0
#pragma once
// Joints and weights become bindings and weights.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

// What every vertex of a skinned primitive follows; `bindings` of its skin's joints.
Result<void> read_influences(Conversion& conversion, const source::Primitive& primitive,
                             const std::vector<std::uint16_t>& bindings, Mesh& mesh);

}  // namespace throng::detail::gltf
