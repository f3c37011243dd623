// SPDX-License-Identifier: Apache-2.0
#include "encodings/frame_checks.h"

#include "check/values.h"

namespace throng::detail::character {
namespace {

// Four SNORM16 whose squares sum to one, in integers because there may be very many.
bool snorm16_is_unit(std::uint32_t xy, std::uint32_t zw) {
  constexpr double kOne = 32767.0;
  constexpr auto kLeast = static_cast<std::int64_t>(kOne * kOne * (1.0 - kUnitTolerance) * (1.0 - kUnitTolerance));
  constexpr auto kMost = static_cast<std::int64_t>(kOne * kOne * (1.0 + kUnitTolerance) * (1.0 + kUnitTolerance));
  const auto squared = [](std::uint32_t bits) {
    const std::int64_t value = static_cast<std::int16_t>(static_cast<std::uint16_t>(bits & 0xFFFFu));
    return value * value;
  };
  const std::int64_t sum = squared(xy) + squared(xy >> 16) + squared(zw) + squared(zw >> 16);
  return sum >= kLeast && sum <= kMost;
}

}  // namespace

bool quaternions_unit(std::span<const std::uint32_t> words, std::size_t stride, std::size_t count) {
  bool unit = true;
  for (std::size_t i = 0; i < count; ++i) unit &= snorm16_is_unit(words[i * stride], words[i * stride + 1]);
  return unit;
}

}  // namespace throng::detail::character
