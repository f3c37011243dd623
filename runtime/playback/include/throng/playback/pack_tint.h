// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tint as records hold it, of far characters and of near ones.

#include "throng/playback/play.h"

namespace throng {

// Red in the lowest byte, alpha in the highest.
constexpr std::uint32_t pack_tint(const Tint& tint) {
  return std::uint32_t{tint.red} | std::uint32_t{tint.green} << 8 | std::uint32_t{tint.blue} << 16 |
         std::uint32_t{tint.alpha} << 24;
}

}  // namespace throng
