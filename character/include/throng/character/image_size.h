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
// pixels each way, or so many that decoding takes more bytes than `budget`; 0: than is usual for a file of this size
// (throng/base/memory_budget.h).
Result<ImageSize> image_size(std::span<const std::byte> bytes, std::uint64_t budget = 0);

// Bytes that decoding a picture takes while it lasts: as it was deflated, as stb has it, and as we have it.
constexpr std::uint64_t decoding_bytes(const ImageSize& size) { return std::uint64_t{size.width} * size.height * 12; }

// Bytes of its texture, smaller copies included: four a pixel, and a third more.
constexpr std::uint64_t texture_bytes(const ImageSize& size) {
  return std::uint64_t{size.width} * size.height * 16 / 3;
}

}  // namespace throng
