// SPDX-License-Identifier: Apache-2.0
#pragma once
// Unit vectors in a word, as pool.glsl packs and unpacks them.

#include <cmath>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>

namespace throng {

// Octahedral. No direction: +Z.
inline std::uint32_t packed_direction(const glm::vec3& direction) {
  const float sum = std::abs(direction.x) + std::abs(direction.y) + std::abs(direction.z);
  const glm::vec3 d = sum > 0.0f ? direction / sum : glm::vec3(0.0f, 0.0f, 1.0f);
  const glm::vec2 side(d.x < 0.0f ? -1.0f : 1.0f, d.y < 0.0f ? -1.0f : 1.0f);
  const glm::vec2 point = d.z < 0.0f ? (1.0f - glm::abs(glm::vec2(d.y, d.x))) * side : glm::vec2(d);
  return glm::packSnorm2x16(point);
}

// The unit vector that packed_direction() put into the word, within its rounding.
inline glm::vec3 unpacked_direction(std::uint32_t word) {
  const glm::vec2 at = glm::unpackSnorm2x16(word);
  const float z = 1.0f - std::abs(at.x) - std::abs(at.y);
  const glm::vec2 side(at.x < 0.0f ? -1.0f : 1.0f, at.y < 0.0f ? -1.0f : 1.0f);
  const glm::vec2 point = z < 0.0f ? (1.0f - glm::abs(glm::vec2(at.y, at.x))) * side : at;
  return glm::normalize(glm::vec3(point, z));
}

// The side takes the lowest bit of the second number.
inline std::uint32_t packed_tangent(const glm::vec3& direction, bool other_side) {
  return (packed_direction(direction) & ~0x10000u) | (other_side ? 0x10000u : 0u);
}

}  // namespace throng
