#pragma once
// Which rows of which layer a clip gets, and the texels themselves.

#include "columns.h"

namespace throng {

struct PackedAtlas {
  Layout layout;
  std::uint32_t height = 0;
  std::uint32_t layer_count = 0;
  std::vector<BakedClip> clips;  // all but their bounds
  std::vector<Texel> texels;
};

// Whether the clips of a texture of so many columns fit at all: asked before they are sampled, since one that does not
// may be of any length.
Result<void> check_fit(std::size_t column_count, const std::vector<ClipPlan>& plans, std::uint32_t max_size);

// Clips go down a layer in their order; the next layer starts where one does not fit. An error gives the numbers of a
// clip that fits none.
Result<PackedAtlas> pack_atlas(const Columns& columns, const std::vector<ClipPlan>& plans, std::uint32_t max_size);

}  // namespace throng
