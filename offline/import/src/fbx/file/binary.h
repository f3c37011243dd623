// SPDX-License-Identifier: Apache-2.0
#pragma once
// Binary FBX: records of end offset, values, children; arrays plain or deflated.

#include <cstdint>
#include <span>

#include "fbx/file/element.h"
#include "import_budget.h"
#include "mender.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

struct BinaryLayout {
  std::uint32_t version = 0;
  bool big_endian = false;
};

// Begins behind the 27 bytes of the file's head, which offsets count.
Result<Element> read_binary(std::span<const std::byte> bytes, const BinaryLayout& layout, import::Mender& mender,
                            import::Budget& budget);

}  // namespace throng::detail::fbx
