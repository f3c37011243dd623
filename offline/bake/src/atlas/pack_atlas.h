// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which rows of which layer the frames of a clip get, and how wide the layers are.

#include <span>
#include <string>
#include <vector>

#include "throng/bake/bake.h"
#include "throng/character/encoding.h"

namespace throng::detail::bake {

struct AtlasRules {
  std::uint32_t max_size = kMaxAtlasSize;
  AtlasShape shape = AtlasShape::exact;
  Packing packing = Packing::greedy;
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

// Four where every encoding's items fill whole texels of four words and none is of half floats, whose texels are two.
std::uint32_t texel_words_for(std::span<const Encoding> encodings);

// Of all widths that suit some need, the one that takes least room, narrower where two are even. An error gives the
// numbers of what does not fit and a way out.
Result<AtlasPlacement> place_frames(const std::vector<AtlasNeed>& needs, std::uint32_t texel_words,
                                    const AtlasRules& rules);

}  // namespace throng::detail::bake
