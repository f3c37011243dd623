// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much memory reading a file may take, unless somebody says otherwise: what a small file can cost is bounded, and a
// large one may take in proportion.

#include <cstdint>

namespace throng {

// A file of up to a mebibyte may take 512 MiB; a larger one 64 bytes more for each of its bytes beyond. That is ten
// times what the largest of the usual models takes.
constexpr std::uint64_t usual_memory_budget(std::uint64_t file_bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  constexpr std::uint64_t kSmall = 512 * kMebibyte;
  constexpr std::uint64_t kPerByte = 64;
  return file_bytes <= kMebibyte ? kSmall : kSmall + kPerByte * (file_bytes - kMebibyte);
}

}  // namespace throng
