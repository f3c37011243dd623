// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which rows of which layer the frames of a clip get, and how wide the layers are.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/bake/bake.h"
#include "throng/character/encoding.h"

namespace throng::detail::bake {

struct AtlasRules {
  std::uint32_t max_size = kMaxAtlasSize;
  AtlasShape shape = AtlasShape::exact;
  Packing packing = Packing::greedy;
};
AtlasRules rules_of(const BakeSettings& settings);

// What the encodings of an atlas ask of its texels.
struct AtlasTexels {
  std::uint32_t words = 4;
  std::string_view classic = {};  // the encoding of a classic layout, whose frames start a row each; none: no such
  bool folds = true;              // whether a frame may lie in several rows
};

// What one run of frames needs.
struct AtlasNeed {
  std::string name;  // of its clip, for messages
  std::uint32_t frame_count = 0;
  std::uint64_t words_per_frame = 0;
};

struct AtlasPlace {
  std::uint32_t layer = 0;
  std::uint32_t first_frame = 0;  // counted in frames of its own layout

  friend bool operator==(const AtlasPlace&, const AtlasPlace&) = default;
};

struct AtlasPlacement {
  Layout layout;
  std::uint32_t height = 0;
  std::uint32_t layer_count = 0;
  std::vector<AtlasPlace> places;  // one per need

  std::uint64_t texels() const { return std::uint64_t{layout.width} * height * layer_count; }
  std::uint64_t bytes() const { return texels() * layout.texel_words * sizeof(std::uint32_t); }
};

// Words: what the classic layouts say, where all are of one; otherwise four where every encoding's items fill whole
// texels of them, else two.
AtlasTexels texels_for(std::span<const Encoding> encodings);

// Chooses, of all widths that suit some need, the one that takes least room, and the narrower of two that take the
// same. Among powers of two it is the squarer; none folds a frame that fits in a row, and layers over four times as
// long as wide are a last resort. The classic layouts have one width: a frame's, or as much of it as a side may have.
// Clips run on from layer to layer in square ones, and nowhere else. An error gives the numbers of what does not fit
// and a way out.
Result<AtlasPlacement> place_frames(const std::vector<AtlasNeed>& needs, const AtlasTexels& texels,
                                    const AtlasRules& rules);

}  // namespace throng::detail::bake
