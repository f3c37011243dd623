// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures: encoded as a file has them, and decoded for textures in and renderings out.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"

namespace throng {

// An encoded picture (PNG or JPEG), as the file has it.
struct ImageSource {
  std::string name;
  std::string mime_type;
  SharedBytes bytes;
  std::filesystem::path file = {};  // that the bytes were read from; none: they lay inside the model's file
  std::string uri = {};             // in a character's file: its path from there when it is linked, not embedded
};

// 8 bits a channel, RGBA, rows from the top, no padding.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;
};

// PNG or JPEG of at most 16384 × 16384.
Result<Image> decode_image(std::span<const std::byte> bytes, std::uint64_t budget = 0);

Result<void> write_png(const Image& image, const std::filesystem::path& path);  // replaces the file atomically

// How large a picture is.
struct ImageSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// The size of a PNG or JPEG, by its first bytes. Refuses what decode_image would refuse unseen: another format, a
// damaged header, more than 16384 pixels each way, or so many that decoding takes more bytes than `budget`; 0: than is
// usual for a file of this size (throng/base/memory_budget.h).
Result<ImageSize> image_size(std::span<const std::byte> bytes, std::uint64_t budget = 0);

// Bytes that decoding a picture takes while it lasts: as it was deflated, as stb has it, and as we have it.
constexpr std::uint64_t decoding_bytes(const ImageSize& size) { return std::uint64_t{size.width} * size.height * 12; }

// Bytes of its texture, smaller copies included: four a pixel, and a third more.
constexpr std::uint64_t texture_bytes(const ImageSize& size) {
  return std::uint64_t{size.width} * size.height * 16 / 3;
}

}  // namespace throng
