// SPDX-License-Identifier: Apache-2.0
#pragma once
// Version 1 of meshopt's attribute codec, from the specification of KHR_meshopt_compression, appendix A. Elements come
// in blocks; in a block the bytes of the elements are stored plane by plane (all first bytes, all second bytes, …), as
// differences to the element before.

#include "compressed/meshopt_decode.h"

namespace throng::detail::gltf {

// Header byte 0xA1, which older releases of meshoptimizer lack; false: the stream is damaged.
bool decode_attributes_v1(const MeshoptStream& stream, std::span<std::byte> out);

}  // namespace throng::detail::gltf
