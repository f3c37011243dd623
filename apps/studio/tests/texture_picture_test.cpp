// SPDX-License-Identifier: Apache-2.0
#include "core/report/texture_picture.h"

#include <gtest/gtest.h>

#include <set>

#include "built_character.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"
#include "waiting.h"

namespace throng::studio {
namespace {

Character baked(BakeSettings settings) {
  settings.clips = {"walk", "wave"};
  settings.levels = 1;
  settings.max_error_mm.reset();
  SerialExecutor executor;
  auto model = bake(test::mannequin(), settings, executor);
  EXPECT_TRUE(model) << model.error().message;
  return *std::move(model);
}

struct Place {
  std::uint32_t layer = 0;
  TexelCoordinate at;
};

// The texel where an item of a frame begins, by the layout's own formula.
Place place_of(const Character& model, const BakedClip& clip, std::uint32_t frame, std::uint32_t item) {
  const std::uint32_t word =
      header_words(clip.encoding) + item * words_per_item(clip.encoding, model.tangents_animated());
  const FrameLayout frames = frame_layout(model, clip);
  const LayerFrame in = layer_frame(frames, model.atlas().height, clip.layer, clip.first_frame + frame);
  return {in.layer, texel_of(model.atlas().layout, frames, in.frame, word / model.atlas().layout.texel_words)};
}

void expect_owners(const Character& model, const std::string& item_name, std::uint32_t item) {
  for (std::uint32_t c = 0; c < model.clips().size(); ++c) {
    const BakedClip& clip = model.clips()[c];
    for (const std::uint32_t frame : {0u, clip.frame_count / 2, clip.frame_count - 1}) {
      const Place place = place_of(model, clip, frame, item);
      const auto owner = owner_of_texel(model, place.layer, place.at);
      ASSERT_TRUE(owner) << clip.name << " " << frame;
      EXPECT_EQ(owner->clip, c);
      EXPECT_EQ(owner->frame, frame);
      EXPECT_EQ(owner->item, item_name);
    }
  }
}

TEST(TexturePicture, KnowsWhoseATexelIsInBoneMode) {
  const Character model = baked({});
  expect_owners(model, "bone '" + model.bones()[3].name + "'", 3);
  EXPECT_FALSE(owner_of_texel(model, 0, {model.atlas().layout.width, 0}));
  EXPECT_FALSE(owner_of_texel(model, 0, {0, model.atlas().height}));
  EXPECT_FALSE(owner_of_texel(model, 1, {0, 0}));
}

TEST(TexturePicture, KnowsWhoseATexelIsWhenFramesAreFoldedIntoRows) {
  const Character model = baked({.mode = BakeMode::vertices, .max_atlas_size = 1024});
  ASSERT_GT(frame_layout(model, model.clips()[0]).rows_per_frame, 1u);
  expect_owners(model, "vertex 2000", 2000);
}

TEST(TexturePicture, KnowsWhoseATexelIsWhereClipsRunOnFromLayerToLayer) {
  const Character model = baked({.max_atlas_size = 32, .shape = AtlasShape::square});
  const BakedClip& last = model.clips().back();
  ASSERT_GT(model.atlas().layer_count, last.layer + 1) << "for a clip to run on";
  expect_owners(model, "bone '" + model.bones()[3].name + "'", 3);
  const Character coarse = baked({.mode = BakeMode::vertices, .encoding = Encoding::rgbm, .shape = AtlasShape::square});
  expect_owners(coarse, "vertex 2000", 2000);
  EXPECT_EQ(texture_picture(coarse, 0).image.rgba[0], coarse.atlas().words[0] & 0xFFu);
}

TEST(TexturePicture, KnowsWhoseATexelIsInEveryBoneEncoding) {
  for (const Encoding encoding : {Encoding::q8, Encoding::q12, Encoding::rows, Encoding::half_rows}) {
    const Character model = baked({.encoding = encoding});
    constexpr std::uint32_t item = 4;  // begins a texel in all of them
    expect_owners(model, "bone '" + model.bones()[item].name + "'", item);
  }
}

TEST(TexturePicture, ShowsTheSizeOfTheTextureAndMotionInIt) {
  const Character model = baked({});
  const TexturePicture picture = texture_picture(model, 0);
  EXPECT_EQ(picture.step, 1u);
  EXPECT_EQ(picture.image.width, model.atlas().layout.width);
  EXPECT_EQ(picture.image.height, model.atlas().height);
  ASSERT_EQ(picture.image.rgba.size(), std::size_t{4} * picture.image.width * picture.image.height);
  std::set<std::array<std::uint8_t, 3>> colours;
  for (std::size_t i = 0; i < picture.image.rgba.size(); i += 4) {
    colours.insert({picture.image.rgba[i], picture.image.rgba[i + 1], picture.image.rgba[i + 2]});
    ASSERT_EQ(picture.image.rgba[i + 3], 255);
  }
  EXPECT_GT(colours.size(), 100u);
}

TEST(TexturePicture, LeavesTexelsOutOfOneThatIsLargerThanAPicture) {
  CharacterDraft draft;
  draft.clips.resize(1);
  draft = throng::test::built_from_clips(std::move(draft)).draft();
  std::vector<std::uint32_t> words(std::size_t{4096} * 3 * 4);
  std::ranges::copy(draft.atlas.words.first(4), words.begin());
  draft.atlas = {.layout = {.width = 4096, .texel_words = 4}, .height = 3, .layer_count = 1, .words = words};
  const Character model = throng::test::built(std::move(draft));
  const TexturePicture picture = texture_picture(model, 0);
  EXPECT_EQ(picture.step, 2u);
  EXPECT_EQ(picture.image.width, 2048u);
  EXPECT_EQ(picture.image.height, 2u);
  EXPECT_EQ(picture.image.rgba.size(), std::size_t{4} * 2048 * 2);
}

TEST(TexturePicture, FramesTheRowsOfAClip) {
  const Character model = baked({});
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    const RowRange rows = rows_of_clip(model, model.clips()[clip], model.clips()[clip].layer);
    for (std::uint32_t y = 0; y < model.atlas().height; ++y) {
      bool owned = false;
      for (std::uint32_t x = 0; x < model.atlas().layout.width; ++x) {
        const auto owner = owner_of_texel(model, model.clips()[clip].layer, {x, y});
        owned = owned || (owner && owner->clip == clip);
      }
      EXPECT_EQ(owned, y >= rows.first && y < rows.end) << model.clips()[clip].name << ", row " << y;
    }
  }
}

}  // namespace
}  // namespace throng::studio
