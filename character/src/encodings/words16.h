// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words of 16-bit fields, as q16 and local8 share them.

#include <glm/gtc/quaternion.hpp>

#include "encodings/bits.h"
#include "encodings/entry.h"

namespace throng::detail::character {

inline void write_quaternion(const glm::dquat& q, Words words) {
  words[0] = bits::pair(bits::snorm(q.x, 16), bits::snorm(q.y, 16));
  words[1] = bits::pair(bits::snorm(q.z, 16), bits::snorm(q.w, 16));
}

inline glm::dquat read_quaternion(ConstWords words) {
  return {bits::from_snorm(words[1] >> 16, 16), bits::from_snorm(words[0], 16), bits::from_snorm(words[0] >> 16, 16),
          bits::from_snorm(words[1], 16)};
}

inline void write_unorm16(const glm::dvec4& fraction, Words words) {
  words[0] = bits::pair(bits::unorm(fraction.x, 16), bits::unorm(fraction.y, 16));
  words[1] = bits::pair(bits::unorm(fraction.z, 16), bits::unorm(fraction.w, 16));
}

inline glm::dvec4 read_unorm16(ConstWords words) {
  return {bits::from_unorm(words[0], 16), bits::from_unorm(words[0] >> 16, 16), bits::from_unorm(words[1], 16),
          bits::from_unorm(words[1] >> 16, 16)};
}

}  // namespace throng::detail::character
