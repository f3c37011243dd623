// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vectors that both kinds of codec write alike.

#include <glm/glm.hpp>
#include <span>

#include "encodings/bits.h"
#include "throng/character/codecs/bone_codecs.h"

namespace throng::detail::character::bits {

// An RGBA16F texel: four half floats in two words.
inline void write_halves(const glm::dvec4& value, std::span<std::uint32_t> words) {
  words[0] = pair(to_finite_half(value.x), to_finite_half(value.y));
  words[1] = pair(to_finite_half(value.z), to_finite_half(value.w));
}

inline glm::dvec4 read_halves(std::span<const std::uint32_t> words) {
  return {from_half(words[0]), from_half(words[0] >> 16), from_half(words[1]), from_half(words[1] >> 16)};
}

// Where a position lies in the range's box, 0 to 1 in each axis.
inline glm::dvec3 in_box(const glm::dvec3& position, const ClipRange& range) {
  return {fraction_of(position.x - range.pivot_min.x, range.pivot_size.x),
          fraction_of(position.y - range.pivot_min.y, range.pivot_size.y),
          fraction_of(position.z - range.pivot_min.z, range.pivot_size.z)};
}

inline glm::dvec3 from_box(const glm::dvec3& fraction, const ClipRange& range) {
  return range.pivot_min + fraction * range.pivot_size;
}

}  // namespace throng::detail::character::bits
