// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chance that is the same on every machine.

#include <cstddef>
#include <cstdint>

// splitmix64: small, good enough to scatter a crowd, and the same with every standard library.
class Scatter {
 public:
  explicit Scatter(std::uint64_t seed) : state_(seed) {}

  // In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(unit() * static_cast<double>(count)); }
  bool chance(double of_one) { return unit() < of_one; }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};
