// SPDX-License-Identifier: Apache-2.0
#pragma once
// What became of far characters of an image.

#include <cstdint>

namespace throng {

// What planning an image found out about far characters.
struct CrowdCounts {
  std::uint64_t drawn = 0;  // in any view
  std::uint64_t in_picture = 0;
  std::uint64_t hidden = 0;     // in the view but behind RendererImage::occluders, and so not in the picture
  std::uint64_t specks = 0;     // of those in the picture
  std::uint64_t vertices = 0;   // animated: those of parts that a character does not wear are not
  std::uint64_t triangles = 0;  // in the picture, specks not counted
};

}  // namespace throng
