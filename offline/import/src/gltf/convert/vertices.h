// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertex attributes and morph targets of a primitive, decoded, normalised and in the texture space of its material.

#include "gltf/convert/convert.h"

namespace throng::detail::gltf {

// Positions, normals, tangents, texture coordinates and colours of one primitive.
Result<void> read_vertices(Conversion& conversion, const source::Primitive& primitive, Mesh& mesh);

// Its morph targets and their weights at rest.
Result<void> read_morphs(const Document& document, std::size_t node, const source::Primitive& primitive, Mesh& mesh);

}  // namespace throng::detail::gltf
