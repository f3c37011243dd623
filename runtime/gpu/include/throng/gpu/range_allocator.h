// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which parts of a stretch of memory are free: best fit, with alignment; neighbours that are freed become one again.
// Pure bookkeeping, without any memory.

#include <cstdint>
#include <map>
#include <optional>

namespace throng {

class RangeAllocator {
 public:
  explicit RangeAllocator(std::uint64_t capacity);  // a stretch of that length, all of it free

  // The offset of `size` bytes, a multiple of `alignment` (a power of two); nothing when no free range fits. size > 0.
  std::optional<std::uint64_t> allocate(std::uint64_t size, std::uint64_t alignment);

  // Gives back what allocate returned, once.
  void free(std::uint64_t offset);

  std::uint64_t capacity() const { return capacity_; }      // how long the whole stretch is
  std::uint64_t used() const { return used_; }              // how much of it is taken
  std::size_t free_ranges() const { return free_.size(); }  // into how many pieces what is free is cut
  bool empty() const { return taken_.empty(); }             // whether nothing is taken

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // offset → size

  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  Ranges free_;
  Ranges taken_;
};

}  // namespace throng
