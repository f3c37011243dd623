#pragma once
// Decoded pictures, for textures in and renderings out.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "throng/base/result.h"

namespace throng {

// 8 bits a channel, RGBA, rows from the top, no padding.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;
};

// PNG or JPEG of at most 16384 × 16384.
Result<Image> decode_image(std::span<const std::byte> bytes);

Result<void> write_png(const Image& image, const std::filesystem::path& path);

}  // namespace throng
