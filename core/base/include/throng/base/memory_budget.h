// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much memory and time a file may take, unless somebody says otherwise: what a small file can cost is bounded, and
// a large one may take in proportion.

#include <cstdint>

namespace throng {

// A file of up to a mebibyte may take 512 MiB; a larger one 128 bytes more for each of its bytes beyond. That is ten
// times what the largest of the usual models takes, and leaves the search for its clips' rates as long as it needs.
constexpr std::uint64_t usual_memory_budget(std::uint64_t file_bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  constexpr std::uint64_t kSmall = 512 * kMebibyte;
  constexpr std::uint64_t kPerByte = 128;
  return file_bytes <= kMebibyte ? kSmall : kSmall + kPerByte * (file_bytes - kMebibyte);
}

// Seconds of one core that go with so many bytes: ten with the 512 MiB of a small file, in proportion with less, and
// ten more for each 64 MiB beyond, which is what a file has that is half a mebibyte larger.
constexpr double work_budget(std::uint64_t memory_budget) {
  constexpr double kMebibyte = 1024.0 * 1024.0;
  const double budget = static_cast<double>(memory_budget) / kMebibyte;
  return budget <= 512.0 ? 10.0 * budget / 512.0 : 10.0 + 10.0 * (budget - 512.0) / 64.0;
}

// `asked`, or where that is 0 what goes with so many bytes.
constexpr double work_budget(std::uint64_t memory_budget, double asked) {
  return asked > 0.0 ? asked : work_budget(memory_budget);
}

}  // namespace throng
