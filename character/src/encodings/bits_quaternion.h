// SPDX-License-Identifier: Apache-2.0
#pragma once
// Unit quaternions by three of their components ("smallest three"). One component is left out, made positive (q and −q
// are one rotation) and found again as √(1 − the others' squares); 2 bits say which. The three others lie within ±1/√2
// and are written as SNORM of that, in the order x y z w.

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>

namespace throng::detail::character::bits {

struct SmallestThree {
  std::array<std::uint32_t, 3> fields{};
  std::uint32_t left_out = 0;  // 0: x, 1: y, 2: z, 3: w
};

// `count` bits a component. What is left out is one of the large components: the one that comes out nearest.
SmallestThree encode_smallest_three(const glm::dquat& rotation, int count);
glm::dquat decode_smallest_three(const SmallestThree& three, int count);

}  // namespace throng::detail::character::bits
