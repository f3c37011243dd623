// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts what a test program takes with `new`, on all threads, and lets one of those calls fail. Linking
// throng_allocations puts its own operator new in the place of the standard one.

#include <cstddef>

namespace throng::test {

struct Allocations {
  std::size_t calls = 0;
  std::size_t bytes = 0;  // of all calls, freed or not
  std::size_t live = 0;   // bytes that are not freed
  std::size_t peak = 0;   // the most that were live at once
};

// Since the program began, but for `peak`: since restart_peak().
Allocations allocations();
void restart_peak();

// What a piece of code takes: `live` is what it left, `peak` what it held at most over what there was before.
template <class Work>
Allocations allocations_of(const Work& work) {
  restart_peak();
  const Allocations before = allocations();
  work();
  const Allocations after = allocations();
  return {after.calls - before.calls, after.bytes - before.bytes, after.live - before.live, after.peak - before.live};
}

// From now on the call after the next `count` throws std::bad_alloc, once; on whatever thread it is made.
void fail_after(std::size_t count);
// Whether that call has been made. Ends the waiting for it.
bool has_failed();

}  // namespace throng::test
