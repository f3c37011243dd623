// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "phase.h"
#include "throng/playback/timing.h"
#include "time_record.h"

namespace throng {

using namespace detail::playback;

namespace {

std::uint64_t to_phase(double fraction) {
  const double scaled = fraction * kCycleAsDouble;
  if (scaled >= kCycleAsDouble) return kEndPhase;
  return scaled > 0.0 ? static_cast<std::uint64_t>(scaled) : 0;
}

void add_there_and_back(std::vector<TimedEvent>& events, const TimedEvent& once) {
  constexpr std::uint64_t kTurningPoint = std::uint64_t{1} << 63;
  const std::uint64_t there = once.phase == kEndPhase ? kTurningPoint : once.phase >> 1;
  events.push_back({there, once.event, once.name});
  if (there != 0 && there != kTurningPoint) events.push_back({std::uint64_t{0} - there, once.event, once.name});
}

}  // namespace

ClipTiming clip_timing(const BakedClip& clip) {
  ClipTiming timing;
  timing.length = clip.length;
  timing.record = time_record(clip);
  for (std::uint32_t i = 0; i < clip.events.size(); ++i) {
    const std::uint64_t phase = to_phase(clip.length > 0.0 ? clip.events[i].time / clip.length : 0.0);
    const TimedEvent event{phase, i, clip.events[i].name};
    timing.events[gpu::kWrapClamp].push_back(event);
    // The end of a loop is its start again.
    timing.events[gpu::kWrapLoop].push_back({clip.loops && phase == kEndPhase ? 0 : phase, i, event.name});
    add_there_and_back(timing.events[gpu::kWrapPingPong], event);
  }
  for (std::vector<TimedEvent>& events : timing.events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const TimedEvent& a, const TimedEvent& b) { return a.phase < b.phase; });
  }
  return timing;
}

}  // namespace throng
