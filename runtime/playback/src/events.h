// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which events a track meets between two moments.

#include <optional>
#include <span>
#include <vector>

#include "playing.h"

namespace throng::detail::playback {

// Adds what the tracks of a play meet in the window (from, to], in order of time. What lies exactly where a track
// starts counts to the window that begins with it or before it, and ends after it: over windows that touch, once.
// `last`: as far as the track got, where that is not where it is at `to`.
void collect_events(std::span<const ClipTiming> clips, const PlayRecord& play, InstanceId id, Ticks from, Ticks to,
                    std::optional<Position> last, std::vector<FiredEvent>& out);

// The earliest first; of one moment, in the order they were added.
void sort_by_time(std::span<FiredEvent> events);

}  // namespace throng::detail::playback
