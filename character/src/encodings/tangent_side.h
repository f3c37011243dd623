// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which side of a tangent the bitangent is on, in the highest bit of its word.

#include <cstdint>
#include <glm/glm.hpp>

namespace throng::detail::character::bits {

inline constexpr std::uint32_t kLeftSide = 1u << 31;  // of a tangent whose w is −1

inline std::uint32_t side_bit(const glm::dvec4& tangent) { return tangent.w < 0.0 ? kLeftSide : 0u; }
inline double side_from(std::uint32_t word) { return (word & kLeftSide) != 0 ? -1.0 : 1.0; }

}  // namespace throng::detail::character::bits
