// SPDX-License-Identifier: Apache-2.0
#pragma once
// What becomes of a picture's alpha once it is read back.

#include "throng/character/image.h"

namespace throng::detail::scene {

// Coverage may leave alpha below one; a picture has no holes.
void make_opaque(Image& image);

// Where a pixel is half covered its samples were averaged with nothing, in linear light: the colour of what covers it
// is that over its alpha. Files of pictures and films want it so.
void divide_by_alpha(Image& image);

}  // namespace throng::detail::scene
