// SPDX-License-Identifier: Apache-2.0
#pragma once
// What several encodings ask of the words of a frame, in integers because there may be very many.

#include <cstdint>
#include <span>
#include <string_view>

namespace throng::detail::character {

inline constexpr std::string_view kNotUnit = "holds a rotation that is not of unit length";
inline constexpr std::string_view kNotFinite = "holds a half float that is not finite";

// Neither half of any word is infinite or NaN.
inline bool halves_finite(std::span<const std::uint32_t> words) {
  bool finite = true;
  for (const std::uint32_t word : words) {
    finite &= (word & 0x7C00u) != 0x7C00u;
    finite &= (word & 0x7C000000u) != 0x7C000000u;
  }
  return finite;
}

// What is wrong with a frame of which all words are half floats, whatever the items are.
inline std::string_view refuse_halves(std::span<const std::uint32_t> frame, std::size_t) {
  return halves_finite(frame) ? std::string_view() : kNotFinite;
}

// Whether the SNORM16 quaternions in the first two of every `stride` words are of unit length.
bool quaternions_unit(std::span<const std::uint32_t> words, std::size_t stride, std::size_t count);

}  // namespace throng::detail::character
