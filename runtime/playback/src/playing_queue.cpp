// SPDX-License-Identifier: Apache-2.0
// What comes after: when the next clip of a queue begins, and the carrying out of what is due.
#include <algorithm>

#include "playing.h"

namespace throng::detail::playback {
namespace {

// The end of a cycle that leaves time for a fade which begins at `now` or later, and the tick it is reached at.
struct CycleEnd {
  Position position = 0;
  Ticks when = 0;
};

std::optional<CycleEnd> end_after(const TrackRecord& track, Ticks now, Ticks fade) {
  auto end = end_of_cycle(track, now);
  if (end && track.wrap != gpu::kWrapClamp) end = end_of_cycle(track, later_of(now + fade, now));
  if (!end) return std::nullopt;
  const auto when = tick_reaching(track, *end);
  if (!when) return std::nullopt;
  return CycleEnd{*end, *when};
}

}  // namespace

void plan_queue(const PlayRecord& record, Plans& plans, Ticks now) {
  plans.queue_due.reset();
  plans.cycle_end.reset();
  if (plans.queue.empty() || plans.paused) return;
  const Ticks fade = fade_ticks_of(plans.queue.front());
  const auto end = end_after(record.track, later_of(now, join(record.track.start)), fade);
  if (!end) return;
  plans.queue_due = later_of(end->when - fade, now);
  if (fade == 0 && record.track.wrap != gpu::kWrapClamp) plans.cycle_end = end->position;
}

std::optional<Ticks> next_change(const PlayRecord& record, const Plans* plans) {
  std::optional<Ticks> next;
  if (record.fade_ticks != 0) next = fade_end(record);
  if (plans == nullptr || !plans->queue_due) return next;
  return next && before(*next, *plans->queue_due) ? next : plans->queue_due;
}

std::optional<Position> last_position(const PlayRecord& record, const Plans* plans, Ticks when) {
  if (plans == nullptr || plans->queue_due != when || !plans->cycle_end) return std::nullopt;
  // Backwards a cycle's end is its first frame; forwards that is the first frame of the next.
  const bool forwards = signed_of(join(record.track.rate)) > 0;
  return forwards ? *plans->cycle_end - 1 : *plans->cycle_end;
}

void carry_out(std::span<const ClipTiming> clips, PlayRecord& record, Plans* plans, Ticks when) {
  if (plans == nullptr || plans->queue_due != when) {
    record.fade_ticks = 0;
    return;
  }
  const Play play = plans->queue.front();
  plans->queue.erase(plans->queue.begin());
  begin_play(clips, record, play, when);
  plan_queue(record, *plans, when);
}

}  // namespace throng::detail::playback
