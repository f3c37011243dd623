// SPDX-License-Identifier: Apache-2.0
#include "compressed/meshopt_colours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace throng::detail::gltf {
namespace {

template <class Unsigned, class Signed>
bool decode(std::byte* element) {
  Unsigned luma = 0, alpha = 0;
  Signed orange = 0, green = 0;
  std::memcpy(&luma, element, sizeof(luma));
  std::memcpy(&orange, element + sizeof(luma), sizeof(orange));
  std::memcpy(&green, element + 2 * sizeof(luma), sizeof(green));
  std::memcpy(&alpha, element + 3 * sizeof(luma), sizeof(alpha));
  if (alpha == 0) return false;
  const int full = (1 << std::bit_width(static_cast<unsigned>(alpha))) - 1;
  const int opacity = alpha & full >> 1;
  const int values[] = {luma + orange - green, luma + green, luma - orange - green, opacity << 1 | (opacity & 1)};
  constexpr double kMost = static_cast<double>(static_cast<Unsigned>(~Unsigned{0}));
  for (std::size_t i = 0; i < 4; ++i) {
    const double scaled = std::round(static_cast<double>(values[i]) * kMost / full);
    const auto stored = static_cast<Unsigned>(std::clamp(scaled, 0.0, kMost));
    std::memcpy(element + i * sizeof(stored), &stored, sizeof(stored));
  }
  return true;
}

}  // namespace

bool decode_colours(std::span<std::byte> elements, std::size_t stride) {
  for (std::size_t at = 0; at + stride <= elements.size(); at += stride) {
    std::byte* element = elements.data() + at;
    const bool whole =
        stride == 4 ? decode<std::uint8_t, std::int8_t>(element) : decode<std::uint16_t, std::int16_t>(element);
    if (!whole) return false;
  }
  return true;
}

}  // namespace throng::detail::gltf
