// SPDX-License-Identifier: Apache-2.0
#include "throng/character/image.h"

// stb is compiled in, with names of this file's own: a program may have its own copy, and nobody needs its package.
#define STB_IMAGE_STATIC
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#ifdef __clang__
// Its shifts of signed numbers are not ours to judge.
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

#include <limits>
#include <memory>
#include <optional>

#include "throng/base/file.h"
#include "throng/base/memory_budget.h"
#include "throng/base/try.h"

namespace throng {
namespace {

constexpr std::uint32_t kMaxImageSize = 16384;
constexpr int kChannels = 4;

bool starts_with(std::span<const std::byte> bytes, std::initializer_list<unsigned> signature) {
  if (bytes.size() < signature.size()) return false;
  std::size_t i = 0;
  for (const unsigned value : signature) {
    if (std::to_integer<unsigned>(bytes[i++]) != value) return false;
  }
  return true;
}

// stb reads more formats than glTF knows; the others have no business in an asset.
bool is_png_or_jpeg(std::span<const std::byte> bytes) {
  return starts_with(bytes, {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A}) || starts_with(bytes, {0xFF, 0xD8, 0xFF});
}

// What the header of a PNG says, which stb calls no picture where it is far too much.
std::optional<ImageSize> png_size(std::span<const std::byte> bytes) {
  constexpr std::size_t kWidthAt = 16, kHeightAt = 20;
  if (!starts_with(bytes, {0x89, 'P', 'N', 'G'}) || bytes.size() < kHeightAt + 4) return std::nullopt;
  const auto number_at = [&](std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number = number << 8u | std::to_integer<std::uint32_t>(bytes[at + i]);
    return number;
  };
  return ImageSize{number_at(kWidthAt), number_at(kHeightAt)};
}

Result<void> check_size(const ImageSize& size) {
  if (size.width >= 1 && size.height >= 1 && size.width <= kMaxImageSize && size.height <= kMaxImageSize) return {};
  return fail("image: {} × {} pixels; at most {} × {} are read", size.width, size.height, kMaxImageSize, kMaxImageSize);
}

const stbi_uc* data_of(std::span<const std::byte> bytes) { return reinterpret_cast<const stbi_uc*>(bytes.data()); }

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

void append(void* context, void* data, int size) {
  auto& out = *static_cast<std::vector<std::byte>*>(context);
  const auto* const bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

}  // namespace

Result<ImageSize> image_size(std::span<const std::byte> bytes, std::uint64_t budget) {
  if (!is_png_or_jpeg(bytes)) return fail("image: neither PNG nor JPEG; convert it to one of them");
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return fail("image: {} bytes; at most 2 GiB are read", bytes.size());
  }
  if (const auto said = png_size(bytes)) THRONG_CHECK(check_size(*said));
  int width = 0;
  int height = 0;
  int channels = 0;
  if (stbi_info_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &width, &height, &channels) == 0) {
    return fail("image: damaged header: {}", stbi_failure_reason());
  }
  const ImageSize size{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  THRONG_CHECK(check_size(size));
  const std::uint64_t needed = decoding_bytes(size);
  const std::uint64_t allowed = budget > 0 ? budget : usual_memory_budget(bytes.size());
  if (needed <= allowed) return size;
  return fail(
      "image: {} × {} pixels in {} kB take {} MiB to decode; at most {} MiB is what a file of its size may take", width,
      height, bytes.size() / 1000, needed >> 20, allowed >> 20);
}

Result<Image> decode_image(std::span<const std::byte> bytes, std::uint64_t budget) {
  THRONG_TRY(const ImageSize size, image_size(bytes, budget));
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &width, &height, &channels, kChannels));
  if (!pixels) return fail("image: damaged: {}", stbi_failure_reason());
  Image image{size.width, size.height, {}};
  const std::size_t count = std::size_t{image.width} * image.height * kChannels;
  image.rgba.assign(pixels.get(), pixels.get() + count);
  return image;
}

Result<void> write_png(const Image& image, const std::filesystem::path& path) {
  if (image.width < 1 || image.height < 1 || image.width > kMaxImageSize || image.height > kMaxImageSize) {
    return fail("{}: cannot write a picture of {} × {} pixels; 1 to {} each way are possible", path.string(),
                image.width, image.height, kMaxImageSize);
  }
  if (image.rgba.size() != std::size_t{image.width} * image.height * kChannels) {
    return fail("{}: a picture of {} × {} has {} bytes of pixels", path.string(), image.width, image.height,
                image.rgba.size());
  }
  std::vector<std::byte> png;
  const int width = static_cast<int>(image.width);
  const int ok = stbi_write_png_to_func(append, &png, width, static_cast<int>(image.height), kChannels,
                                        image.rgba.data(), width * kChannels);
  if (ok == 0) return fail("{}: cannot encode a PNG of {} × {} pixels", path.string(), image.width, image.height);
  return write_file(path, png);
}

}  // namespace throng
