// SPDX-License-Identifier: Apache-2.0
#pragma once
// How long this process has computed, for tests of what something costs: another process on the machine adds nothing.

#include <ctime>

namespace throng::test {

// Seconds, of all its threads.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace throng::test
