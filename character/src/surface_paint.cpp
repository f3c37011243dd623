// SPDX-License-Identifier: Apache-2.0
#include "throng/character/surface_paint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {
namespace {

constexpr std::uint32_t kMostTexels = 256;  // along a side

float linear_from_srgb(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

std::array<float, 256> linear_from_bytes() {
  std::array<float, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = linear_from_srgb(static_cast<float>(i) / 255.0f);
  return out;
}

// Where a coordinate lies in a picture so many texels long.
std::uint32_t texel_at(float coordinate, Wrap wrap, std::uint32_t size) {
  if (!std::isfinite(coordinate)) return 0;
  float inside = std::clamp(coordinate, 0.0f, 1.0f);
  if (wrap == Wrap::repeat) inside = coordinate - std::floor(coordinate);
  if (wrap == Wrap::mirror) inside = std::abs(coordinate - 2.0f * std::round(0.5f * coordinate));
  return std::min(static_cast<std::uint32_t>(inside * static_cast<float>(size)), size - 1);
}

}  // namespace

SurfacePaint::SurfacePaint(const Material& material, std::span<const ImageSource> images)
    : base_(material.base_colour), wrap_u_(material.wrap_u), wrap_v_(material.wrap_v) {
  if (!material.base_image) return;
  const auto image = decode_image(images[*material.base_image].bytes.span());
  if (!image || image->width == 0 || image->height == 0) return;
  const std::array<float, 256> linear = linear_from_bytes();
  width_ = std::min(image->width, kMostTexels);
  height_ = std::min(image->height, kMostTexels);
  texels_.assign(std::size_t{width_} * height_, glm::vec4(0.0f));
  std::vector<float> counts(texels_.size(), 0.0f);
  for (std::uint32_t y = 0; y < image->height; ++y) {
    const std::size_t row = static_cast<std::size_t>(std::uint64_t{y} * height_ / image->height) * width_;
    for (std::uint32_t x = 0; x < image->width; ++x) {
      const std::uint8_t* const from = &image->rgba[(std::size_t{y} * image->width + x) * 4];
      const std::size_t to = row + static_cast<std::size_t>(std::uint64_t{x} * width_ / image->width);
      texels_[to] += glm::vec4(linear[from[0]], linear[from[1]], linear[from[2]], static_cast<float>(from[3]) / 255.0f);
      counts[to] += 1.0f;
    }
  }
  for (std::size_t i = 0; i < texels_.size(); ++i) texels_[i] /= counts[i];
}

glm::vec4 SurfacePaint::at(const glm::vec2& uv) const {
  if (texels_.empty()) return base_;
  return base_ * texels_[std::size_t{texel_at(uv.y, wrap_v_, height_)} * width_ + texel_at(uv.x, wrap_u_, width_)];
}

}  // namespace throng
