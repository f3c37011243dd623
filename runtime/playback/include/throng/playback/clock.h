// SPDX-License-Identifier: Apache-2.0
#pragma once
// Time as a whole number of ticks, so that the CPU and the GPU add it up alike and nothing drifts, however long a game
// runs.

#include <cstdint>

namespace throng {

// Ticks count from any moment the caller likes and wrap around after half a million years.
using Ticks = std::uint64_t;

inline constexpr std::uint64_t kTicksPerSecond = std::uint64_t{1} << 20;  // a tick is a little less than a microsecond

// The nearest tick, at most 100,000 years away. `seconds` may be negative (the result wraps, and differences of ticks
// still come out right).
Ticks ticks_from_seconds(double seconds);
double seconds_from_ticks(Ticks ticks);  // exact for the first 270 years

// Turns the caller's steps into ticks and carries what is left of each over to the next.
class Clock {
 public:
  explicit Clock(Ticks now = 0) : now_(now) {}  // a clock that begins at `now`

  // Ticks of this step. Steps that are negative or not finite count as none.
  Ticks advance(double seconds);
  Ticks now() const { return now_; }  // ticks since the clock's origin

 private:
  Ticks now_;
  double carry_ = 0.0;  // of a tick, not yet counted
};

}  // namespace throng
