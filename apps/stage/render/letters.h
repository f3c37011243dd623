// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small text on pictures, in letters of five by seven dots that need no font file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "throng/character/image.h"

// A line of text; capitals are all there are.
struct Caption {
  double x = 0.0;         // of its middle, pixels
  double y = 0.0;         // of its top
  std::uint32_t dot = 1;  // pixels a dot
  std::string text;
};

inline constexpr std::uint32_t kLetterHeight = 7;  // dots

// How many pixels wide a text is.
double text_width(std::string_view text, std::uint32_t dot);

// Dark dots in a light halo, opaque, cut at the picture's edges.
void draw_captions(const std::vector<Caption>& captions, throng::Image& image);
