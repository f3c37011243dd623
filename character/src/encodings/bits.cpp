// SPDX-License-Identifier: Apache-2.0
#include "encodings/bits.h"

#include <bit>
#include <cmath>
#include <limits>

namespace throng::detail::character::bits {
namespace {

constexpr std::uint16_t kHalfInfinity = 0x7C00;
constexpr std::uint16_t kHalfNan = 0x7E00;
constexpr int kMantissaBits = 52;  // of a double

// The integer nearest to value · 2^-shift, ties to even; 0 < shift < 64.
std::uint64_t shift_to_nearest(std::uint64_t value, int shift) {
  const std::uint64_t whole = value >> shift;
  const std::uint64_t rest = value & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t middle = std::uint64_t{1} << (shift - 1);
  const bool up = rest > middle || (rest == middle && (whole & 1) != 0);
  return whole + (up ? 1 : 0);
}

std::uint16_t magnitude_to_half(std::uint64_t mantissa, int exponent) {
  if (exponent > 15) return kHalfInfinity;
  if (exponent < -25) return 0;
  if (exponent < -14) {  // counted in steps of 2^-24
    const std::uint64_t whole = mantissa | std::uint64_t{1} << kMantissaBits;
    return static_cast<std::uint16_t>(shift_to_nearest(whole, kMantissaBits - 24 - exponent));
  }
  // A mantissa that rounds up to the next power of two carries into the exponent, and past the largest into infinity.
  const auto biased = static_cast<std::uint64_t>(exponent + 15) << kMantissaBits;
  return static_cast<std::uint16_t>(shift_to_nearest(biased | mantissa, kMantissaBits - 10));
}

}  // namespace

std::uint16_t to_half(double value) {
  const auto all = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(all >> 63 << 15);
  if (std::isnan(value)) return sign | kHalfNan;
  const int exponent = static_cast<int>((all >> kMantissaBits) & 0x7FF) - 1023;
  const std::uint64_t mantissa = all & ((std::uint64_t{1} << kMantissaBits) - 1);
  return static_cast<std::uint16_t>(sign | magnitude_to_half(mantissa, exponent));
}

double from_half(std::uint32_t bits) {
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  const auto exponent = static_cast<int>(field(bits, 10, 5));
  const auto mantissa = static_cast<double>(field(bits, 0, 10));
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent < 31) return sign * std::ldexp(1024.0 + mantissa, exponent - 25);
  return mantissa == 0.0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

std::uint16_t to_finite_half(double value) {
  constexpr double kLargest = 65504.0;
  return to_half(clamped(value, -kLargest, kLargest));
}

}  // namespace throng::detail::character::bits
