// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binary FBX: records of end offset, values, children; arrays plain or deflated.

#include <cstdint>
#include <span>

#include "fbx/file/element.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

// Begins behind the 27 bytes of the file's head, which offsets count.
Result<Element> read_binary(std::span<const std::byte> bytes, std::uint32_t version);

}  // namespace throng::detail::fbx
