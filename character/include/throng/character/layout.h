// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a value sits in an atlas: every addressing formula, once. Baker, readers and tests use these functions; shaders
// use the same formula from shaders/include/throng/shaders/sampling/atlas.glsl, and a test compares the two.
//
// An atlas is `width` texels wide; a texel is two or four 32-bit words. The frames of a clip follow one another:
// several side by side in a row when they are narrow, each in one row, or each folded into several rows when they are
// wide. A frame's words are always contiguous in memory. A clip starts a row, and never spans two layers.

#include <cstdint>

namespace throng {

inline constexpr std::uint32_t kMaxAtlasSize = 4096;  // what every Vulkan device can do

struct Layout {
  std::uint32_t width = 0;        // texels
  std::uint32_t texel_words = 4;  // 4: RGBA32UI; 2: RG32UI, or RGBA16F where the words are half floats

  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

// How the frames of one clip lie. One of frames_per_row and rows_per_frame is 1.
struct FrameLayout {
  std::uint32_t texels_per_frame = 0;
  std::uint32_t frames_per_row = 0;
  std::uint32_t rows_per_frame = 0;

  friend constexpr bool operator==(const FrameLayout&, const FrameLayout&) = default;
};

struct TexelCoordinate {
  std::uint32_t x = 0;
  std::uint32_t y = 0;

  friend constexpr bool operator==(const TexelCoordinate&, const TexelCoordinate&) = default;
};

constexpr std::uint32_t ceil_divide(std::uint64_t a, std::uint32_t b) {
  return b == 0 ? 0 : static_cast<std::uint32_t>((a + b - 1) / b);
}

constexpr FrameLayout frame_layout(const Layout& layout, std::uint64_t words_per_frame) {
  const std::uint32_t texels = ceil_divide(words_per_frame, layout.texel_words);
  if (texels == 0 || layout.width == 0) return {};
  if (texels > layout.width) return {texels, 1, ceil_divide(texels, layout.width)};
  return {texels, layout.width / texels, 1};
}

// `frame` counts from the top of the layer, in frames of this clip's layout (BakedClip::first_frame + frame of clip).
constexpr TexelCoordinate texel_of(const Layout& layout, const FrameLayout& frames, std::uint32_t frame,
                                   std::uint32_t texel_in_frame) {
  const std::uint32_t row = frame / frames.frames_per_row;
  const std::uint32_t first = (frame - row * frames.frames_per_row) * frames.texels_per_frame;
  const std::uint32_t folded = texel_in_frame / layout.width;
  return {frames.rows_per_frame == 1 ? first + texel_in_frame : texel_in_frame - folded * layout.width,
          frames.rows_per_frame == 1 ? row : frame * frames.rows_per_frame + folded};
}

// Rows that `count` frames take from a row's start.
constexpr std::uint64_t rows_of(const FrameLayout& frames, std::uint64_t count) {
  if (frames.frames_per_row == 0) return 0;
  return (count + frames.frames_per_row - 1) / frames.frames_per_row * frames.rows_per_frame;
}

// The first_frame of a clip that starts in `row`; with several rows a frame, `row` must be a multiple of them.
constexpr std::uint32_t frame_of_row(const FrameLayout& frames, std::uint32_t row) {
  return frames.rows_per_frame == 1 ? row * frames.frames_per_row : row / frames.rows_per_frame;
}

constexpr std::uint32_t frames_per_layer(const FrameLayout& frames, std::uint32_t height) {
  return frames.rows_per_frame == 0 ? 0 : height / frames.rows_per_frame * frames.frames_per_row;
}

}  // namespace throng
