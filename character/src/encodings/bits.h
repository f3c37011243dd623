// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers in fields of a few bits, as the codecs write them and shaders read them: fractions of a range, and half
// floats. Encoding clamps to what a field can hold; what is not a number becomes the lowest.

#include <algorithm>
#include <cstdint>

namespace throng::detail::character::bits {

constexpr std::uint32_t mask(int count) { return (1u << count) - 1u; }

// `count` bits of a word from bit `first` on.
constexpr std::uint32_t field(std::uint32_t word, int first, int count) { return (word >> first) & mask(count); }

constexpr double clamped(double value, double low, double high) {
  return value > low ? (value < high ? value : high) : low;
}

// Half away from zero. The sum is exact for every number that a field can hold.
constexpr std::int32_t nearest(double value) { return static_cast<std::int32_t>(value + (value < 0.0 ? -0.5 : 0.5)); }

// 0 … 1 in `count` bits, at most 24: what a float holds.
constexpr double unorm_max(int count) { return static_cast<double>(mask(count)); }
constexpr std::uint32_t unorm(double value, int count) {
  return static_cast<std::uint32_t>(nearest(clamped(value, 0.0, 1.0) * unorm_max(count)));
}
constexpr double from_unorm(std::uint32_t bits, int count) {
  return static_cast<double>(bits & mask(count)) / unorm_max(count);
}

// −1 … 1 in `count` bits of two's complement, with an exact 0; the lowest integer reads as −1 too, as
// unpackSnorm2x16 does it.
constexpr double snorm_max(int count) { return static_cast<double>(mask(count - 1)); }
constexpr std::uint32_t snorm(double value, int count) {
  return static_cast<std::uint32_t>(nearest(clamped(value, -1.0, 1.0) * snorm_max(count))) & mask(count);
}
constexpr double from_snorm(std::uint32_t bits, int count) {
  const auto high = static_cast<std::int32_t>(bits << (32 - count));
  return std::max(static_cast<double>(high >> (32 - count)) / snorm_max(count), -1.0);
}

// What part of `whole` a value is; nothing has no parts.
constexpr double fraction_of(double value, double whole) { return whole > 0.0 ? value / whole : 0.0; }

// IEEE 754 binary16, rounded to nearest, ties to even; infinity from 65520 on. Reading is what unpackHalf2x16 does.
std::uint16_t to_half(double value);
double from_half(std::uint32_t bits);

// The same for values that have to stay numbers: held at ±65504.
std::uint16_t to_finite_half(double value);

// Two to a word, the first lowest.
constexpr std::uint32_t pair(std::uint32_t low, std::uint32_t high) { return low | high << 16; }

}  // namespace throng::detail::character::bits
