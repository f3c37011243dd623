// SPDX-License-Identifier: Apache-2.0
// Where the shader library looks for values, against throng/character/layout.h.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "compute_program.h"
#include "dice.h"
#include "test_device.h"
#include "throng/character/character.h"
#include "throng/shaders/shared/frame_shapes.h"

namespace throng {
namespace {

constexpr std::uint32_t kCode[] = {
#include "atlas_test.comp.inc"
};

constexpr std::uint32_t kFrames = 9;
constexpr std::uint32_t kFirstFrame = 3;
constexpr std::uint32_t kLayer = 1;
constexpr std::uint32_t kAllShapes = gpu::kFramesSideBySide | gpu::kFramesFolded | gpu::kFramesRunOn;

// Items of one size behind a header: what a frame is to an atlas.
struct FrameOf {
  std::uint32_t header_words = 0;
  std::uint32_t item_words = 0;
  std::uint32_t items = 0;

  std::uint32_t words() const { return header_words + item_words * items; }
};

struct Push {
  std::uint32_t width, texel_words, shapes, count;
};

class AtlasReading : public test::OnDevice {
 protected:
  test::ComputeProgram program_{context(), kCode, 2, 1, sizeof(Push)};

  // Every item of some frames, read by the shader and by C++, from an atlas in which every word is its own number. Its
  // layers are so many rows high, and frames run on through them; 0: as high as needed. Returns how many were compared.
  std::size_t compare(const Layout& layout, const FrameOf& frame, std::uint32_t height = 0) {
    const FrameLayout frames = frame_layout(layout, frame.words());
    Atlas atlas{.layout = layout, .layer_count = 2};
    atlas.height = height > 0 ? height : static_cast<std::uint32_t>(rows_of(frames, kFirstFrame + kFrames));
    const bool runs_on = frames_per_layer(frames, atlas.height) < kFirstFrame + kFrames;
    atlas.layer_count = layer_frame(frames, atlas.height, kLayer, kFirstFrame + kFrames - 1).layer + 1;
    std::vector<std::uint32_t> words(std::size_t{layout.width} * atlas.height * atlas.layer_count * layout.texel_words);
    std::iota(words.begin(), words.end(), 1u);
    atlas.words = words;
    const std::array formats{VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_UNDEFINED,
                             VK_FORMAT_R32G32B32A32_UINT};
    ImageShape shape{.format = formats[layout.texel_words - 1],
                     .width = layout.width,
                     .height = atlas.height,
                     .layers = atlas.layer_count};
    shape.array = true;
    const ImageResource image = upload_image(program_.gpu(), shape, std::as_bytes(std::span(words))).value();
    std::size_t compared = 0;
    std::uint32_t shapes = frames.frames_per_row > 1 ? gpu::kFramesSideBySide : 0u;
    if (frames.rows_per_frame > 1) shapes |= gpu::kFramesFolded;
    if (runs_on) shapes |= gpu::kFramesRunOn;
    for (const std::uint32_t told : {shapes, kAllShapes}) compared += compare(atlas, frames, frame, image, told);
    return compared;
  }

 private:
  std::size_t compare(const Atlas& atlas, const FrameLayout& frames, const FrameOf& frame, const ImageResource& image,
                      std::uint32_t shapes) {
    std::vector<glm::uvec4> requests;
    for (std::uint32_t f = kFirstFrame; f < kFirstFrame + kFrames; ++f)
      for (std::uint32_t i = 0; i < frame.items; ++i)
        requests.emplace_back(f, frame.header_words + i * frame.item_words, frame.item_words, 0u);
    ClipRecord clip{};
    clip.layer = kLayer;
    clip.texels_per_frame = frames.texels_per_frame;
    clip.frames_per_row = frames.frames_per_row;
    clip.frames_per_layer = frames_per_layer(frames, atlas.height);
    const auto count = static_cast<std::uint32_t>(requests.size());
    const Push push{atlas.layout.width, atlas.layout.texel_words, shapes, count};
    const auto found = program_.run({.inputs = {std::as_bytes(std::span(&clip, 1)), std::as_bytes(std::span(requests))},
                                     .push = std::as_bytes(std::span(&push, 1)),
                                     .output_words = requests.size() * 9,
                                     .groups = (count + 63) / 64,
                                     .images = {&image}});
    for (std::size_t i = 0; i < requests.size(); ++i) expect_same(atlas, frames, requests[i], &found[i * 9]);
    return requests.size();
  }

  static void expect_same(const Atlas& atlas, const FrameLayout& frames, const glm::uvec4& request,
                          const std::uint32_t* found) {
    const LayerFrame in = layer_frame(frames, atlas.height, kLayer, request.x);
    const TexelCoordinate at = texel_of(atlas.layout, frames, in.frame, request.y / atlas.layout.texel_words);
    const TexelCoordinate looked_at{found[0], found[1]};
    EXPECT_TRUE(looked_at == at) << "frame " << request.x << ", word " << request.y << " of width "
                                 << atlas.layout.width << ": " << found[0] << ", " << found[1];
    EXPECT_EQ(found[2], in.layer);
    const auto expected = atlas.frame(frames, kLayer, request.x).subspan(request.y, request.z);
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_EQ(found[3 + k], expected[k]) << "frame " << request.x << ", word " << request.y + k << " of width "
                                           << atlas.layout.width << " in texels of " << atlas.layout.texel_words;
  }
};

TEST_F(AtlasReading, FindsEveryItemWhereTheLayoutPutsIt) {
  std::size_t compared = 0;
  for (const std::uint32_t texel_words : {2u, 4u})
    for (const std::uint32_t width : {1u, 3u, 8u, 33u, 100u})
      for (const FrameOf& frame : {FrameOf{0, 4, 1}, FrameOf{0, 4, 40}, FrameOf{0, 3, 1}, FrameOf{0, 3, 5},
                                   FrameOf{0, 3, 41}, FrameOf{4, 2, 1}, FrameOf{4, 2, 37}, FrameOf{0, 6, 1},
                                   FrameOf{0, 6, 7}, FrameOf{0, 6, 33}, FrameOf{0, 2, 3}, FrameOf{0, 2, 64}})
        compared += compare({width, texel_words}, frame);
  EXPECT_GT(compared, 40000u);
}

// A frame stays in its layer; the next may lie in the next.
TEST_F(AtlasReading, FindsEveryItemOfFramesThatRunOnFromLayerToLayer) {
  test::Dice dice(31);
  std::size_t compared = 0;
  std::size_t ran_on = 0;
  for (int turn = 0; turn < 120; ++turn) {
    const std::array<std::uint32_t, 5> sizes{2, 3, 4, 6, 2};
    const FrameOf frame{dice.below(2) * 4, sizes[dice.below(5)], 1 + dice.below(50)};
    const Layout layout{1 + dice.below(90), dice.below(2) == 0 ? 2u : 4u, dice.below(3) == 0};
    const FrameLayout frames = frame_layout(layout, frame.words());
    const std::uint32_t height = frames.rows_per_frame * (1 + dice.below(4)) + dice.below(frames.rows_per_frame);
    compared += compare(layout, frame, height);
    ran_on += frames_per_layer(frames, height) < kFirstFrame + kFrames ? 1 : 0;
  }
  EXPECT_GT(compared, 20000u);
  EXPECT_GT(ran_on, 60u);
}

// RGBA8, read as words: items of two and three words alone are of this kind.
TEST_F(AtlasReading, FindsEveryItemInTexelsOfOneWord) {
  for (const std::uint32_t width : {5u, 64u, 300u})
    for (const FrameOf& frame : {FrameOf{0, 2, 40}, FrameOf{0, 3, 33}})
      for (const bool rows : {false, true}) compare({width, 1, rows}, frame, rows ? 70 : 0);
}

}  // namespace
}  // namespace throng
