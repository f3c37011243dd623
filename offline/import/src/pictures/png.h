// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pixels as a PNG in memory.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "throng/base/result.h"

namespace throng::detail::import {

// 8 bits a channel, rows from the top, no padding.
struct RawPicture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 4;  // 3: RGB, 4: RGBA
  std::vector<std::uint8_t> pixels;

  std::size_t row_size() const { return std::size_t{width} * channels; }
};

Result<std::vector<std::byte>> encode_png(const RawPicture& picture);

}  // namespace throng::detail::import
