// SPDX-License-Identifier: Apache-2.0
#include "pictures/webp.h"

#include <webp/decode.h>

#include <cstdint>
#include <string_view>

#include "pictures/png.h"
#include "throng/base/memory_budget.h"
#include "throng/base/try.h"

namespace throng::detail::import {
namespace {

const std::uint8_t* data_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

Result<WebPBitstreamFeatures> features_of(std::span<const std::byte> bytes) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data_of(bytes), bytes.size(), &features) != VP8_STATUS_OK)
    return fail("is a WebP that is cut short or damaged");
  return features;
}

}  // namespace

bool is_webp(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.size() >= 12 && text.starts_with("RIFF") && text.substr(8, 4) == "WEBP";
}

Result<ImageSize> webp_size(std::span<const std::byte> bytes, std::uint64_t budget) {
  constexpr std::uint64_t kBytesOfPixel = 12;  // decoded, filtered, and deflated again
  THRONG_TRY(const WebPBitstreamFeatures features, features_of(bytes));
  if (features.has_animation != 0) return fail("is a WebP that moves, which is not read");
  const auto width = static_cast<std::uint32_t>(features.width);
  const auto height = static_cast<std::uint32_t>(features.height);
  const std::uint64_t needed = std::uint64_t{width} * height * kBytesOfPixel;
  const std::uint64_t allowed = budget > 0 ? budget : usual_memory_budget(bytes.size());
  if (needed > allowed) {
    return fail(
        "is a WebP of {} × {} pixels, which takes {} MiB to decode; at most {} MiB is what a file of its size may "
        "take",
        width, height, needed >> 20, allowed >> 20);
  }
  return ImageSize{width, height};
}

Result<std::vector<std::byte>> png_from_webp(std::span<const std::byte> bytes, std::uint64_t budget) {
  THRONG_TRY(const ImageSize size, webp_size(bytes, budget));
  THRONG_TRY(const WebPBitstreamFeatures features, features_of(bytes));
  RawPicture picture{size.width, size.height, features.has_alpha != 0 ? 4u : 3u, {}};
  picture.pixels.resize(picture.row_size() * size.height);
  const auto stride = static_cast<int>(picture.row_size());
  const auto* decoded =
      features.has_alpha != 0
          ? WebPDecodeRGBAInto(data_of(bytes), bytes.size(), picture.pixels.data(), picture.pixels.size(), stride)
          : WebPDecodeRGBInto(data_of(bytes), bytes.size(), picture.pixels.data(), picture.pixels.size(), stride);
  if (decoded == nullptr) return fail("is a WebP that is cut short or damaged");
  return encode_png(picture);
}

}  // namespace throng::detail::import
