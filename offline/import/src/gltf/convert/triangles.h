// SPDX-License-Identifier: Apache-2.0
#pragma once
// Indices of lists, strips and fans as triangles.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

// Three indices a triangle, from a list, a strip or a fan.
Result<std::vector<std::uint32_t>> read_triangles(const Document& document, const source::Primitive& primitive,
                                                  std::size_t vertices, MeshTally& tally);

}  // namespace throng::detail::gltf
