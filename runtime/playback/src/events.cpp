// SPDX-License-Identifier: Apache-2.0
#include "events.h"

#include <algorithm>

namespace throng::detail::playback {
namespace {

// The positions of a track in a window; `first` belongs to it when the track begins there.
struct Window {
  Position first = 0;
  Position last = 0;
  bool begins = false;
  Ticks start = 0;

  bool forwards() const { return last >= first; }
  bool holds(Position at) const {
    if (at == first) return begins;
    return forwards() ? at > first && at <= last : at < first && at >= last;
  }
};

std::optional<Window> window_of(const TrackRecord& track, Ticks from, Ticks to, std::optional<Position> last) {
  const Ticks start = join(track.start);
  const bool begins = !before(start, from);
  const Ticks first = begins ? start : from;
  if (!before(first, to)) return std::nullopt;
  return Window{position_at(track, first), last.value_or(position_at(track, to)), begins, first};
}

// Calls sink(event, position) for all that the window holds, in the order they are met.
template <class Sink>
void meet(const std::vector<TimedEvent>& events, const Window& window, const Sink& sink) {
  const Position last_cycle = window.last >> 64;
  if (window.forwards()) {
    for (Position cycle = window.first >> 64; cycle <= last_cycle; ++cycle) {
      for (const TimedEvent& event : events) {
        if (const Position at = cycle * kCycle + event.phase; window.holds(at)) sink(event, at);
      }
    }
    return;
  }
  for (Position cycle = window.first >> 64; cycle >= last_cycle; --cycle) {
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      if (const Position at = cycle * kCycle + event->phase; window.holds(at)) sink(*event, at);
    }
  }
}

}  // namespace

void collect_events(std::span<const ClipTiming> clips, const PlayRecord& play, InstanceId id, Ticks from, Ticks to,
                    std::optional<Position> last, std::vector<FiredEvent>& out) {
  const std::size_t before_these = out.size();
  const auto collect = [&](const TrackRecord& track, Ticks until, std::optional<Position> end, bool fades_out) {
    const std::vector<TimedEvent>& events = clips[track.clip].events[track.wrap];
    if (events.empty()) return;
    const auto window = window_of(track, from, until, end);
    if (!window) return;
    meet(events, *window, [&](const TimedEvent& event, Position at) {
      const Ticks when = later_of(tick_reaching(track, at).value_or(window->start), window->start);
      const float weight = gpu::fade_weight(play, split(when));
      out.push_back({id, ClipId(track.clip), event.event, event.name, when, fades_out ? 1.0f - weight : weight});
    });
  };
  const bool fades = play.fade_ticks != 0;
  if (fades) collect(play.previous, before(fade_end(play), to) ? fade_end(play) : to, std::nullopt, true);
  collect(play.track, to, last, false);
  if (fades) sort_by_time(std::span(out).subspan(before_these));
}

void sort_by_time(std::span<FiredEvent> events) {
  // Events of one moment are ordered by character: who was settled first, because something was due, depends on the
  // step.
  std::stable_sort(events.begin(), events.end(), [](const FiredEvent& a, const FiredEvent& b) {
    return a.when != b.when ? before(a.when, b.when) : a.instance.slot < b.instance.slot;
  });
}

}  // namespace throng::detail::playback
