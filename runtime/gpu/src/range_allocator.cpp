// SPDX-License-Identifier: Apache-2.0
#include "throng/gpu/range_allocator.h"

#include <cassert>

namespace throng {
namespace {

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace

RangeAllocator::RangeAllocator(std::uint64_t capacity) : capacity_(capacity) {
  if (capacity > 0) free_.emplace(0, capacity);
}

std::optional<std::uint64_t> RangeAllocator::allocate(std::uint64_t size, std::uint64_t alignment) {
  auto best = free_.end();
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const std::uint64_t padding = align_up(range->first, alignment) - range->first;
    const bool fits = padding <= range->second && range->second - padding >= size;
    if (fits && (best == free_.end() || range->second < best->second)) best = range;
  }
  if (best == free_.end()) return std::nullopt;

  const auto [start, length] = *best;
  const std::uint64_t offset = align_up(start, alignment);
  free_.erase(best);
  if (offset > start) free_.emplace(start, offset - start);
  if (offset + size < start + length) free_.emplace(offset + size, start + length - offset - size);
  taken_.emplace(offset, size);
  used_ += size;
  return offset;
}

void RangeAllocator::free(std::uint64_t offset) {
  const auto taken = taken_.find(offset);
  assert(taken != taken_.end());
  if (taken == taken_.end()) return;
  std::uint64_t start = offset;
  std::uint64_t length = taken->second;
  used_ -= length;
  taken_.erase(taken);

  auto after = free_.lower_bound(start);
  if (after != free_.end() && after->first == start + length) {
    length += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == start) {
      start = before->first;
      length += before->second;
      free_.erase(before);
    }
  }
  free_.emplace(start, length);
}

}  // namespace throng
