// SPDX-License-Identifier: Apache-2.0
#pragma once
// The animation texture as people can look at it: one layer as a picture, and what any of its texels is.

#include <optional>
#include <string>

#include "throng/character/character.h"
#include "throng/character/image.h"

namespace throng::studio {

struct TexturePicture {
  Image image;
  std::uint32_t step = 1;  // every so many texels across and down are shown: the texture may be larger than a picture
};

// Three of a texel's numbers as red, green and blue; what no clip uses is dark. `layer` must be one of the atlas.
TexturePicture texture_picture(const Character& model, std::uint32_t layer);

// Which rows of a layer a clip's frames lie in: [first, end). None where it has no frames there.
struct RowRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};
RowRange rows_of_clip(const Character& model, const BakedClip& clip, std::uint32_t layer);

struct TexelOwner {
  std::uint32_t clip = 0;
  std::uint32_t frame = 0;  // of the clip
  std::string item;         // "bone 'head'", "vertex 12", "the frame's origin", …
};

// The clip that a texel belongs to; nothing where no clip has it.
std::optional<TexelOwner> owner_of_texel(const Character& model, std::uint32_t layer, TexelCoordinate at);

}  // namespace throng::studio
