#include "throng/playback/ticker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phase.h"

namespace throng {
namespace {

// Whole turns in the high half, the phase in the low.
__extension__ using Position = unsigned __int128;

constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
constexpr double kTurn = 18446744073709551616.0;  // 2^64

bool backwards(std::uint64_t rate) { return (rate >> 63) != 0; }
std::uint64_t magnitude(std::uint64_t rate) { return backwards(rate) ? std::uint64_t{0} - rate : rate; }

// A fraction of a clip, 0 to 1, as a phase. The end of a loop is its start again; the end of a clip that stops is kEnd.
std::uint64_t to_phase(double fraction, bool loops) {
  const double scaled = fraction * kTurn;
  if (scaled >= kTurn) return loops ? 0 : kEnd;
  return scaled <= 0.0 ? 0 : static_cast<std::uint64_t>(scaled);
}

std::uint64_t to_rate(double turns_per_tick) {
  // Half a turn a tick is far beyond anything that can be seen, and still fits a signed 64-bit number.
  const double limited = std::clamp(turns_per_tick, -0.49, 0.49) * kTurn;
  return static_cast<std::uint64_t>(std::llround(limited));
}

// How far the playhead goes, in phase; a clip that stops goes no further than its end.
Position distance(const ClipTiming& clip, const Playhead& playhead, Ticks elapsed) {
  const Position wanted = Position{magnitude(playhead.rate)} * elapsed;
  if (clip.record.loops != 0) return wanted;
  const Position room = backwards(playhead.rate) ? playhead.phase : kEnd - playhead.phase;
  return std::min(wanted, room);
}

// Events at `turn · 2^64 + phase` for every turn, met from `from` on up to `to`, both counted in the same way.
void fire_forwards(const ClipTiming& clip, Position from, Position to, bool include_from, const OnEvent& on_event) {
  const Position turns = to >> 64;
  for (Position turn = from >> 64; turn <= turns; ++turn) {
    for (const TimedEvent& event : clip.events) {
      const Position at = (turn << 64) | event.phase;
      if ((at > from || (include_from && at == from)) && at <= to) on_event(event.event);
    }
  }
}

void fire_backwards(const ClipTiming& clip, Position from, Position to, bool include_from, const OnEvent& on_event) {
  for (Position turn = (from >> 64) + 1; turn-- > to >> 64;) {
    for (auto event = clip.events.rbegin(); event != clip.events.rend(); ++event) {
      const Position at = (turn << 64) | event->phase;
      if ((at < from || (include_from && at == from)) && at >= to) on_event(event->event);
    }
  }
}

}  // namespace

ClipTiming clip_timing(const BakedClip& clip) {
  // Only what time needs: where texels lie is the shader's business.
  ClipRecord record{};
  record.loops = clip.loops ? 1u : 0u;
  record.first_frame = clip.first_frame;
  record.frame_count = clip.frame_count;
  record.layer = clip.layer;
  ClipTiming timing{record, clip.length, {}};
  for (std::uint32_t i = 0; i < clip.events.size(); ++i) {
    const double fraction = clip.length > 0.0 ? clip.events[i].time / clip.length : 0.0;
    timing.events.push_back({to_phase(fraction, clip.loops), i});
  }
  std::stable_sort(timing.events.begin(), timing.events.end(),
                   [](const TimedEvent& a, const TimedEvent& b) { return a.phase < b.phase; });
  return timing;
}

Playhead make_playhead(const ClipTiming& clip, double speed, double offset) {
  if (!(clip.length > 0.0)) return {};
  const bool loops = clip.record.loops != 0;
  double fraction = offset / clip.length;
  if (loops) fraction -= std::floor(fraction);
  return {to_phase(fraction, loops), to_rate(speed / (clip.length * static_cast<double>(kTicksPerSecond)))};
}

std::uint64_t phase_after(const ClipTiming& clip, const Playhead& playhead, Ticks elapsed) {
  const auto step = clip.record.loops != 0 ? gpu::looped_phase : gpu::clamped_phase;
  return join(step(split(playhead.phase), split(playhead.rate), split(elapsed)));
}

void fire_events(const ClipTiming& clip, const Playhead& playhead, Ticks elapsed, WindowStart start,
                 const OnEvent& on_event) {
  if (clip.events.empty() || !on_event) return;
  const Position travelled = distance(clip, playhead, elapsed);
  const bool include_from = start == WindowStart::included;
  if (backwards(playhead.rate)) {
    // Counted from a turn so high that going back never passes zero.
    const Position from = (((travelled >> 64) + 1) << 64) + playhead.phase;
    fire_backwards(clip, from, from - travelled, include_from, on_event);
  } else {
    fire_forwards(clip, playhead.phase, playhead.phase + travelled, include_from, on_event);
  }
}

void Ticker::advance(Ticks elapsed, const OnEvent& on_event) {
  fire_events(*clip_, playhead_, elapsed, begun_ ? WindowStart::excluded : WindowStart::included, on_event);
  begun_ = true;
  playhead_.phase = phase_after(*clip_, playhead_, elapsed);
}

Cursor Ticker::cursor() const { return gpu::cursor_at(clip_->record, split(playhead_.phase)); }

double Ticker::time() const {
  if (playhead_.phase == kEnd && clip_->record.loops == 0) return clip_->length;
  return static_cast<double>(playhead_.phase) / kTurn * clip_->length;
}

bool Ticker::finished() const {
  if (clip_->record.loops != 0) return false;
  return playhead_.phase == (backwards(playhead_.rate) ? 0 : kEnd);
}

}  // namespace throng
