#pragma once
// Where a value sits in an atlas: every addressing formula, once. Bone mode stores one texel a bone and frame. A frame
// wider than the atlas folds into several rows; clips follow one another down a layer; a clip never spans two layers.

#include <cstdint>

namespace throng {

inline constexpr std::uint32_t kMaxAtlasSize = 4096;  // what every Vulkan device can do

struct Layout {
  std::uint32_t width = 0;           // texels
  std::uint32_t rows_per_frame = 0;  // 1 unless the frame is wider than an atlas may be

  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

struct TexelCoordinate {
  std::uint32_t x = 0;
  std::uint32_t y = 0;

  friend constexpr bool operator==(const TexelCoordinate&, const TexelCoordinate&) = default;
};

constexpr Layout make_layout(std::uint32_t texels_per_frame, std::uint32_t max_size) {
  const std::uint32_t width = texels_per_frame < max_size ? texels_per_frame : max_size;
  return {width, width == 0 ? 0 : (texels_per_frame + width - 1) / width};
}

constexpr TexelCoordinate texel_of(const Layout& layout, std::uint32_t frame, std::uint32_t texel_in_frame) {
  return {texel_in_frame % layout.width, frame * layout.rows_per_frame + texel_in_frame / layout.width};
}

constexpr std::uint32_t frames_per_layer(const Layout& layout, std::uint32_t max_size) {
  return layout.rows_per_frame == 0 ? 0 : max_size / layout.rows_per_frame;
}

}  // namespace throng
