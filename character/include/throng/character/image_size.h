// SPDX-License-Identifier: Apache-2.0
#pragma once
// How large a picture is, and whether it can be decoded at all, by its first bytes.

#include <cstdint>
#include <span>

#include "throng/base/result.h"

namespace throng {

struct ImageSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// Of a PNG or JPEG. Refuses what decode_image would refuse unseen: another format, a damaged header, more than 16384
// pixels each way, or so many that decoding takes more memory than is usual for a file of this size
// (throng/base/memory_budget.h).
Result<ImageSize> image_size(std::span<const std::byte> bytes);

}  // namespace throng
