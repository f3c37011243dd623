// SPDX-License-Identifier: Apache-2.0
#pragma once
// Phases as shaders hold them (low, high), and as positions on a line that does not wrap.

#include <cstdint>
#include <limits>

#include "throng/character/records.h"
#include "throng/playback/clock.h"

namespace throng::detail::playback {

constexpr gpu::uvec2 split(std::uint64_t value) {
  return {static_cast<gpu::uint>(value), static_cast<gpu::uint>(value >> 32)};
}
constexpr std::uint64_t join(gpu::uvec2 value) { return std::uint64_t{value.y} << 32 | value.x; }

// Whole cycles above, the phase in the low 64 bits.
__extension__ using Position = __int128;

inline constexpr std::uint64_t kEndPhase = std::numeric_limits<std::uint64_t>::max();
inline constexpr Position kCycle = Position{1} << 64;
inline constexpr double kCycleAsDouble = 18446744073709551616.0;

constexpr std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// Ticks wrap, so which of two comes first is told by their difference.
constexpr std::int64_t ticks_between(Ticks from, Ticks to) { return signed_of(to - from); }
constexpr bool before(Ticks a, Ticks b) { return ticks_between(a, b) > 0; }
constexpr Ticks later_of(Ticks a, Ticks b) { return before(a, b) ? b : a; }

}  // namespace throng::detail::playback
