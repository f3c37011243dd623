// SPDX-License-Identifier: Apache-2.0
// Where runs of frames go: nothing overlaps, nothing sticks out, and the two ways of packing keep their word.
#include "atlas/pack_atlas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace throng {
using namespace detail::bake;
namespace {

std::vector<AtlasNeed> needs_of(std::initializer_list<std::uint32_t> frames, std::uint64_t words) {
  std::vector<AtlasNeed> needs;
  for (const std::uint32_t count : frames) needs.push_back({"clip" + std::to_string(needs.size()), count, words});
  return needs;
}

// Every texel of every frame lies inside its layer and belongs to that frame alone.
void expect_apart(const AtlasPlacement& placement, const std::vector<AtlasNeed>& needs) {
  ASSERT_EQ(placement.places.size(), needs.size());
  std::vector<std::uint8_t> taken(placement.texels(), 0);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const FrameLayout frames = frame_layout(placement.layout, needs[i].words_per_frame);
    const AtlasPlace& place = placement.places[i];
    for (std::uint32_t frame = 0; frame < needs[i].frame_count; ++frame) {
      const LayerFrame in = layer_frame(frames, placement.height, place.layer, place.first_frame + frame);
      ASSERT_LT(in.layer, placement.layer_count);
      for (std::uint32_t texel = 0; texel < frames.texels_per_frame; ++texel) {
        const TexelCoordinate at = texel_of(placement.layout, frames, in.frame, texel);
        ASSERT_LT(at.x, placement.layout.width);
        ASSERT_LT(at.y, placement.height);
        auto& mark = taken[(std::size_t{in.layer} * placement.height + at.y) * placement.layout.width + at.x];
        ASSERT_EQ(mark, 0) << "run " << i << ", frame " << frame << ", texel " << texel;
        mark = 1;
      }
    }
  }
}

// Needs as bakes have them: a few encodings, clips of all lengths.
std::vector<AtlasNeed> random_needs(std::mt19937& random) {
  const std::array<std::uint64_t, 4> words{164, 123, 86, 46};
  std::vector<AtlasNeed> needs;
  const std::size_t count = 1 + random() % 40;
  const std::size_t kinds = 1 + random() % words.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto frames = static_cast<std::uint32_t>(1 + random() % 90);
    needs.push_back({"clip", frames, words[random() % kinds]});
  }
  return needs;
}

TEST(Packing, NothingOverlapsAndNothingSticksOut) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 60; ++turn) {
    const std::vector<AtlasNeed> needs = random_needs(random);
    for (const AtlasShape shape : {AtlasShape::exact, AtlasShape::power_of_two, AtlasShape::square}) {
      for (const Packing packing : {Packing::greedy, Packing::tight}) {
        // 64 texels of 2 words are narrower than a frame of 164: those fold.
        const AtlasRules rules{turn % 2 == 0 ? 64u : 300u, shape, packing};
        const auto placement = place_frames(needs, {2}, rules);
        if (!placement) continue;
        EXPECT_LE(placement->layout.width, rules.max_size);
        EXPECT_LE(placement->height, rules.max_size);
        expect_apart(*placement, needs);
      }
    }
  }
}

// The classic rule: clips in their order, down a layer; one that does not fit starts the next; none is split.
TEST(Packing, GreedyGoesInOrderAndStartsALayerWhereAClipDoesNotFit) {
  std::mt19937 random(2);
  int layered = 0;
  for (int turn = 0; turn < 40; ++turn) {
    const std::vector<AtlasNeed> needs = random_needs(random);
    const AtlasRules rules{100, AtlasShape::exact, Packing::greedy};
    const auto placement = place_frames(needs, {2}, rules);
    if (!placement) continue;
    layered += placement->layer_count > 1 ? 1 : 0;
    std::uint64_t row = 0;
    std::uint32_t layer = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const FrameLayout frames = frame_layout(placement->layout, needs[i].words_per_frame);
      const std::uint64_t rows = rows_of(frames, needs[i].frame_count);
      row = (row + frames.rows_per_frame - 1) / frames.rows_per_frame * frames.rows_per_frame;
      if (row + rows > rules.max_size) {
        ++layer;
        row = 0;
      }
      EXPECT_EQ(placement->places[i], (AtlasPlace{layer, frame_of_row(frames, static_cast<std::uint32_t>(row))}));
      row += rows;
    }
  }
  EXPECT_GT(layered, 5) << "too few cases with several layers to show anything";
}

TEST(Packing, TightIsNeverWorseAndSometimesBetter) {
  std::mt19937 random(3);
  int better = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const std::vector<AtlasNeed> needs = random_needs(random);
    const auto greedy = place_frames(needs, {2}, {96, AtlasShape::exact, Packing::greedy});
    const auto tight = place_frames(needs, {2}, {96, AtlasShape::exact, Packing::tight});
    ASSERT_EQ(greedy.has_value(), tight.has_value());
    if (!greedy) continue;
    EXPECT_LE(tight->texels(), greedy->texels());
    better += tight->texels() < greedy->texels() ? 1 : 0;
  }
  EXPECT_GT(better, 5);
}

TEST(Packing, OneEncodingThatFitsWastesNothing) {
  const auto placement = place_frames(needs_of({30, 41, 7}, 164), {4}, {});
  ASSERT_TRUE(placement.has_value());
  EXPECT_EQ(placement->layout, (Layout{41, 4}));
  EXPECT_EQ(placement->height, 78u);
  EXPECT_EQ(placement->layer_count, 1u);
}

// One frame a row would need two layers; two frames a row need one.
TEST(Packing, FramesStandSideBySideWhereThatTakesLess) {
  const auto placement = place_frames(needs_of({20, 20, 20}, 12), {4}, {30, AtlasShape::exact, Packing::greedy});
  ASSERT_TRUE(placement.has_value());
  EXPECT_EQ(placement->layout.width, 6u);
  EXPECT_EQ(placement->height, 30u);
  EXPECT_EQ(placement->layer_count, 1u);
  EXPECT_EQ(placement->places[2], (AtlasPlace{0, 40}));
}

TEST(Packing, ShapesAreWhatWasAskedFor) {
  const auto needs = needs_of({30, 41, 7}, 164);
  const auto powers = place_frames(needs, {4}, {1000, AtlasShape::power_of_two, Packing::greedy});
  ASSERT_TRUE(powers.has_value());
  EXPECT_EQ(powers->layout.width, 128u);  // three frames of 41 texels a row
  EXPECT_EQ(powers->height, 32u);
  const auto square = place_frames(needs, {4}, {256, AtlasShape::square, Packing::greedy});
  ASSERT_TRUE(square.has_value());
  EXPECT_EQ(square->layout.width, 256u);
  EXPECT_EQ(square->height, 256u);
  EXPECT_EQ(square->layer_count, 1u);  // six frames a row
}

// A strip of 1 × 4096 would waste nothing; it is no texture.
TEST(Packing, PowersOfTwoNeitherFoldFramesNorAreStrips) {
  std::mt19937 random(4);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<AtlasNeed> needs = random_needs(random);
    if (turn % 3 == 0)
      for (AtlasNeed& need : needs) need.words_per_frame = 4;
    const AtlasRules rules{4096, AtlasShape::power_of_two, turn % 2 == 0 ? Packing::greedy : Packing::tight};
    const auto placement = place_frames(needs, {2}, rules);
    ASSERT_TRUE(placement.has_value());
    EXPECT_TRUE(std::has_single_bit(placement->layout.width) && std::has_single_bit(placement->height));
    std::uint64_t used = 0;
    std::uint64_t frame_count = 0;
    for (const AtlasNeed& need : needs) {
      EXPECT_EQ(frame_layout(placement->layout, need.words_per_frame).rows_per_frame, 1u);
      used += need.frame_count * need.words_per_frame / 2;
      frame_count += need.frame_count;
    }
    EXPECT_EQ(placement->layer_count, 1u);
    // Sides rounded up, and what is left of rows: four times what is used at the very most.
    EXPECT_LE(placement->texels(), 4 * used) << placement->layout.width << " × " << placement->height;
    if (frame_count < 100) continue;
    const auto [narrow, wide] = std::minmax(placement->layout.width, placement->height);
    EXPECT_LE(wide, 4 * narrow) << placement->layout.width << " × " << placement->height;
  }
}

// Vertex mode: a frame wider than any layer folds, and still makes no strip.
TEST(Packing, PowersOfTwoThatMustFoldAreNoStripsEither) {
  const auto placement = place_frames(needs_of({120, 180}, 10002), {2}, {4096, AtlasShape::power_of_two});
  ASSERT_TRUE(placement.has_value());
  EXPECT_EQ(placement->layer_count, 1u);
  EXPECT_EQ(placement->layout.width, 1024u);  // five rows a frame
  EXPECT_EQ(placement->height, 2048u);
}

// The classic layouts: a frame a row, whatever the sides are.
TEST(Packing, ClassicLayoutsHaveOneFrameARow) {
  const AtlasTexels texels = texels_for(std::array{Encoding::half_quaternion});
  EXPECT_EQ(texels.classic, "half-quaternion");
  EXPECT_FALSE(texels.folds);
  std::mt19937 random(5);
  for (int turn = 0; turn < 60; ++turn) {
    const auto bones = static_cast<std::uint32_t>(1 + random() % 60);
    std::vector<AtlasNeed> needs = random_needs(random);
    for (AtlasNeed& need : needs) need.words_per_frame = std::uint64_t{4} * bones;
    for (const AtlasShape shape : {AtlasShape::exact, AtlasShape::power_of_two, AtlasShape::square}) {
      const AtlasRules rules{turn % 2 == 0 ? 128u : 512u, shape, turn % 3 == 0 ? Packing::tight : Packing::greedy};
      const auto placement = place_frames(needs, texels, rules);
      ASSERT_TRUE(placement.has_value()) << placement.error().message;
      const std::uint32_t width = shape == AtlasShape::exact          ? 2 * bones
                                  : shape == AtlasShape::power_of_two ? std::bit_ceil(2 * bones)
                                                                      : rules.max_size;
      EXPECT_EQ(placement->layout, (Layout{width, 2, true}));
      expect_apart(*placement, needs);
      const FrameLayout frames = frame_layout(placement->layout, needs[0].words_per_frame);
      for (std::uint32_t frame = 0; frame < 40; ++frame)
        for (std::uint32_t texel = 0; texel < 2 * bones; ++texel)
          ASSERT_EQ(texel_of(placement->layout, frames, frame, texel), (TexelCoordinate{texel, frame}));
    }
  }
}

TEST(Packing, ClassicLayoutsOfVerticesAreAsWideAsAFrameOrTheSide) {
  const AtlasTexels texels = texels_for(std::array{Encoding::half_vertex});
  EXPECT_TRUE(texels.folds);
  const auto narrow = place_frames(needs_of({30}, 84 * 4), texels, {4096});
  ASSERT_TRUE(narrow.has_value());
  EXPECT_EQ(narrow->layout, (Layout{168, 2, true}));
  const auto wide = place_frames(needs_of({30}, 5000 * 4), texels, {4096});
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(wide->layout, (Layout{4096, 2, true}));
  EXPECT_EQ(wide->height, 90u);  // three rows a frame
  const AtlasTexels bytes = texels_for(std::array{Encoding::rgbm});
  EXPECT_EQ(bytes.words, 1u);
  const auto even = place_frames(needs_of({30}, 5000 * 2), bytes, {4096});
  ASSERT_TRUE(even.has_value());
  EXPECT_EQ(even->layout, (Layout{3334, 1, true})) << "three rows of 3,334 and not 4,096";
  EXPECT_EQ(texels_for(std::array{Encoding::rgbm, Encoding::v8}).words, 2u);
}

// Spec A10: a frame is whole in its layer, a clip need not be.
TEST(Packing, SquareLayersAreFilledFrameByFrame) {
  const auto placement = place_frames(needs_of({10, 1000, 3}, 96), {4}, {128, AtlasShape::square});
  ASSERT_TRUE(placement.has_value());
  // Five frames of 24 texels a row, 640 a layer; clips start a row.
  EXPECT_EQ(placement->layer_count, 2u);
  EXPECT_EQ(placement->places[0], (AtlasPlace{0, 0}));
  EXPECT_EQ(placement->places[1], (AtlasPlace{0, 10}));
  EXPECT_EQ(placement->places[2], (AtlasPlace{1, 370}));
  expect_apart(*placement, needs_of({10, 1000, 3}, 96));
}

TEST(Packing, TexelsAreOfFourWordsOnlyWhereEveryEncodingFillsThem) {
  using E = Encoding;
  EXPECT_EQ(texels_for(std::vector{E::q16, E::x16}).words, 4u);
  EXPECT_EQ(texels_for(std::vector{E::q16, E::q12}).words, 2u);
  EXPECT_EQ(texels_for(std::vector{E::q16, E::rows}).words, 2u);
  EXPECT_EQ(texels_for(std::vector{E::half_quaternion}).words, 2u);  // its texels are RGBA16F
  EXPECT_EQ(texels_for(std::vector{E::q8}).words, 2u);
}

std::string refused(const std::vector<AtlasNeed>& needs, const AtlasRules& rules) {
  const auto placement = place_frames(needs, {4}, rules);
  return placement ? "" : placement.error().message;
}

// What fits to the last texel fits.
TEST(Packing, FramesAndClipsMayBeAsLargeAsALayer) {
  const auto wide = place_frames(needs_of({5}, 128), {2}, {64, AtlasShape::power_of_two});
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(wide->layout.width, 64u) << "a frame as wide as the side is not folded, though the shape is long";
  EXPECT_EQ(wide->height, 8u);
  const auto row = place_frames(needs_of({2}, 512), texels_for(std::array{Encoding::half_rows}), {256});
  ASSERT_TRUE(row.has_value()) << row.error().message;
  EXPECT_EQ(row->layout, (Layout{256, 2, true}));
  const auto last_row = place_frames(needs_of({15, 1, 1}, 64), {4}, {16, AtlasShape::square});
  ASSERT_TRUE(last_row.has_value());
  EXPECT_EQ(last_row->places[1], (AtlasPlace{0, 15}));
  EXPECT_EQ(last_row->places[2], (AtlasPlace{1, 0}));
  const std::string blamed = refused(needs_of({16, 17}, 64), {16, AtlasShape::exact, Packing::greedy});
  EXPECT_NE(blamed.find("'clip1' has 17 frames of 16 texels; an atlas of 16 × 16 holds 16"), std::string::npos)
      << blamed;
}

TEST(Packing, LimitsAreRefusedWithNumbersAndAWayOut) {
  const std::string long_clip = refused(needs_of({300}, 64), {16, AtlasShape::exact, Packing::greedy});
  EXPECT_NE(long_clip.find("'clip0' has 300 frames of 16 texels; an atlas of 16 × 16 holds 16"), std::string::npos)
      << long_clip;
  EXPECT_NE(long_clip.find("raise the atlas size"), std::string::npos);
  const std::vector<AtlasNeed> many(257, AtlasNeed{"clip", 16, 64});
  const std::string layers = refused(many, {16, AtlasShape::exact, Packing::tight});
  EXPECT_NE(layers.find("257 atlas layers"), std::string::npos) << layers;
  const std::vector<AtlasNeed> large(9, AtlasNeed{"clip", 4096, 65536});
  const std::string bytes = refused(large, {16384, AtlasShape::exact, Packing::greedy});
  EXPECT_NE(bytes.find("at most 2147483648"), std::string::npos) << bytes;
  EXPECT_NE(long_clip.find("`shape` square"), std::string::npos);
  const std::string frame = refused(needs_of({2}, 2000), {16, AtlasShape::square, Packing::greedy});
  EXPECT_EQ(frame, "a frame of clip 'clip0' takes 500 texels; an atlas of 16 × 16 holds 256: raise the atlas size");
  const auto row = place_frames(needs_of({2}, 600), texels_for(std::array{Encoding::half_rows}), {256});
  ASSERT_FALSE(row.has_value());
  EXPECT_EQ(row.error().message,
            "clip 'clip0' is in half-rows, which keeps a frame in one row of the texture, and a frame of 300 texels is "
            "wider than 256: raise the atlas size, or choose an encoding whose frames may fold, such as q16 or rows");
  EXPECT_EQ(refused(std::vector<AtlasNeed>(256, AtlasNeed{"clip", 16, 64}), {16, AtlasShape::exact, Packing::greedy}),
            "");
}

}  // namespace
}  // namespace throng
