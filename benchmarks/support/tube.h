// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tube of many bones, one on the other, whose vertices follow as many of them as one likes.

#include <cstdint>

#include "throng/model/model.h"

namespace throng::bench {

inline constexpr std::uint32_t kTubeBones = 57;

struct TubeShape {
  std::uint32_t vertices = 20000;  // rounded down to whole rings of 40
  std::uint32_t influences = 4;    // of every vertex: its nearest bones, up to eight
  std::uint32_t targets = 0;       // morph targets
  bool sways = false;              // has a clip that bends it
};

Model make_tube(const TubeShape& shape);

}  // namespace throng::bench
