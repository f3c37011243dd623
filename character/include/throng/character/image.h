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

}  // namespace throng
