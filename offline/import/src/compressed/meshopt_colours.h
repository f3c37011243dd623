// SPDX-License-Identifier: Apache-2.0
#pragma once
// The colour filter of KHR_meshopt_compression, appendix B. Values have K bits; the highest bit of the fourth says K.

#include <cstddef>
#include <span>

namespace throng::detail::gltf {

// Luma and two chroma differences become red, green and blue, in place; false: an element has no scale.
bool decode_colours(std::span<std::byte> elements, std::size_t stride);

}  // namespace throng::detail::gltf
