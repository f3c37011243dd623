// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a value sits in an atlas: every addressing formula, once. Baker, readers and tests use these functions; shaders
// use the same formula from shaders/include/throng/shaders/sampling/atlas.glsl, and a test compares the two.
//
// An atlas is `width` texels wide; a texel is one, two or four 32-bit words. The frames of a clip follow one another:
// several side by side in a row when they are narrow, each in one row, or each folded into several rows when they are
// wide. A frame's words are always contiguous in memory, and so in one layer. A clip starts a row; one that a layer has
// no room for goes on at the top of the next.

#include <cstddef>
#include <cstdint>

namespace throng {

inline constexpr std::uint32_t kMaxAtlasSize = 4096;  // what every Vulkan device can do

struct Layout {
  std::uint32_t width = 0;  // texels
  // 4: RGBA32UI; 2: RG32UI, or RGBA16F where the words are half floats; 1: RGBA8, or R32UI.
  std::uint32_t texel_words = 4;
  bool frame_rows = false;  // every frame starts a row, as in the classic layouts, however many there is room for

  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

// How the frames of one clip lie. One of frames_per_row and rows_per_frame is 1.
struct FrameLayout {
  std::uint32_t texels_per_frame = 0;
  std::uint32_t frames_per_row = 0;
  std::uint32_t rows_per_frame = 0;

  friend constexpr bool operator==(const FrameLayout&, const FrameLayout&) = default;
};

// Where a texel lies in its layer.
struct TexelCoordinate {
  std::uint32_t x = 0;
  std::uint32_t y = 0;

  friend constexpr bool operator==(const TexelCoordinate&, const TexelCoordinate&) = default;
};

// a / b, rounded up; 0 where b is 0.
constexpr std::uint32_t ceil_divide(std::uint64_t a, std::uint32_t b) {
  return b == 0 ? 0 : static_cast<std::uint32_t>((a + b - 1) / b);
}

// How frames of that many words lie in a layout: several a row, or several rows each.
constexpr FrameLayout frame_layout(const Layout& layout, std::uint64_t words_per_frame) {
  const std::uint32_t texels = ceil_divide(words_per_frame, layout.texel_words);
  if (texels == 0 || layout.width == 0) return {};
  if (layout.frame_rows || texels > layout.width) return {texels, 1, ceil_divide(texels, layout.width)};
  return {texels, layout.width / texels, 1};
}

// `frame` counts from the top of the layer that it lies in, in frames of its clip's layout.
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

// Whole frames that a layer of that height holds.
constexpr std::uint32_t frames_per_layer(const FrameLayout& frames, std::uint32_t height) {
  return frames.rows_per_frame == 0 ? 0 : height / frames.rows_per_frame * frames.frames_per_row;
}

// A layer of an atlas, and which of the frames in it.
struct LayerFrame {
  std::uint32_t layer = 0;
  std::uint32_t frame = 0;

  friend constexpr bool operator==(const LayerFrame&, const LayerFrame&) = default;
};

// Where a frame that counts from the top of `layer` lies (BakedClip::layer; first_frame + frame of the clip): there, or
// in one of the layers behind it. A layer holds at least one frame.
constexpr LayerFrame layer_frame(const FrameLayout& frames, std::uint32_t height, std::uint32_t layer,
                                 std::uint32_t frame) {
  const std::uint32_t each = frames_per_layer(frames, height);
  return {layer + frame / each, frame % each};
}

// How many words of an atlas come before those of that frame.
constexpr std::size_t first_word(const Layout& layout, std::uint32_t height, const FrameLayout& frames,
                                 std::uint32_t layer, std::uint32_t frame) {
  const LayerFrame in = layer_frame(frames, height, layer, frame);
  const TexelCoordinate at = texel_of(layout, frames, in.frame, 0);
  return ((std::size_t{in.layer} * height + at.y) * layout.width + at.x) * layout.texel_words;
}

}  // namespace throng
